package dev.berth.node.runtime;

import java.io.InputStream;
import java.io.OutputStream;

/// A program that was started in a container beside its own. All methods may be called on any
/// thread, those of one stream on one thread at a time; reads and writes block, without a carrier
/// if the thread is virtual, and end when this is closed.
public interface Execution extends AutoCloseable {
  /// What the program reads. Closed: it has come to its end.
  OutputStream input();

  /// What the program writes; with a terminal all of it. Ends soon after the program has.
  InputStream output();

  /// What the program writes to standard error; with a terminal nothing.
  InputStream error();

  /// Tells a program with a terminal how large the window is, in characters; another is told
  /// nothing.
  void resize(int columns, int rows);

  /// Waits for the program's end.
  ///
  /// @return its exit code; 128 + n if signal n killed it
  int await() throws InterruptedException;

  /// Kills the program if it still runs; what it has started lives on in the container.
  @Override
  void close();
}
