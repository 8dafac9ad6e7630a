package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where the objects are kept. For one thread at a time.
public interface Store extends AutoCloseable {
  /// What the last commit left.
  State load() throws StoreException;

  /// Takes room for what is to be kept next. What lets nothing grow has it, however full the disk
  /// is.
  ///
  /// @return why there is none; empty: there is
  default Optional<String> makeRoomFor(List<Written> written) {
    return Optional.empty();
  }

  /// Why there is hardly room for anything that grows; empty: there is.
  default Optional<String> full() {
    return Optional.empty();
  }

  /// A folder on the same disk, for what need not be kept; empty: there is none.
  default Optional<Path> folder() {
    return Optional.empty();
  }

  /// Keeps all of `written`, or nothing. When it returns they are kept for good.
  ///
  /// @param revision of the last write
  /// @param written in order; several may be of one object
  void commit(long revision, List<Written> written) throws StoreException;

  @Override
  void close();
}
