"""The network: one fetcher that asks servers and the wrappers that add behaviour to it."""
