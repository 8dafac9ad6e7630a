package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import java.util.List;

/// A store whose disk can be full.
public final class FullableStore implements Store {
  private final MemoryStore store = new MemoryStore();
  private volatile boolean full;

  public void fill() {
    full = true;
  }

  public void makeRoom() {
    full = false;
  }

  @Override
  public State load() {
    return store.load();
  }

  @Override
  public void commit(long revision, List<Written> written) throws StoreException {
    if (full) throw new StoreException("the disk is full");
    store.commit(revision, written);
  }

  @Override
  public void close() {}
}
