// How the search orders pages: what users read first, records of decisions and of runs last.
var Scorer = {
  score: (result) => {
    const [page, , , , score] = result;
    if (/^(decisions|benchmarks|reproduction|whats-new)/.test(page)) return score - 20;
    if (/^(guide\/|start|choose$|pitfalls)/.test(page)) return score + 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 0, 1: 0, 2: -5 }, // methods and attributes after the pages that explain them
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
