package dev.berth.apiserver.store;

import dev.berth.apiserver.core.State;
import dev.berth.apiserver.core.Written;
import java.util.List;

/// Where the objects are kept. For one thread at a time.
public interface Store extends AutoCloseable {
  /// What the last commit left.
  State load() throws StoreException;

  /// Keeps all of `written`, or nothing. When it returns they are kept for good.
  ///
  /// @param revision of the last write
  /// @param written in order; several may be of one object
  void commit(long revision, List<Written> written) throws StoreException;

  @Override
  void close();
}
