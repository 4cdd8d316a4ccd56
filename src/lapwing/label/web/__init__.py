"""The page: Starlette routes over a session, and who may ask for them."""
