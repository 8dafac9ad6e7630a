package dev.berth.apiserver.store;

class MemoryStoreTest extends StoreContract {
  private final MemoryStore only = new MemoryStore();

  @Override
  Store open() {
    return only;
  }
}
