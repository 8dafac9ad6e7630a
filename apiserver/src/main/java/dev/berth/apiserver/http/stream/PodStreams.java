package dev.berth.apiserver.http.stream;

import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.util.List;

/// Who reaches into containers: the node agents.
public interface PodStreams {
  /// No node agent is at hand.
  PodStreams NONE =
      new PodStreams() {
        @Override
        public Process exec(ObjectKey pod, String container, List<String> command, boolean tty)
            throws IOException {
          throw nobody(pod);
        }

        @Override
        public Process attach(ObjectKey pod, String container) throws IOException {
          throw nobody(pod);
        }

        @Override
        public SocketChannel connect(ObjectKey pod, int port) throws IOException {
          throw nobody(pod);
        }

        private static IOException nobody(ObjectKey pod) {
          return new IOException("no node agent serves pod \"%s\"".formatted(pod.name()));
        }
      };

  /// Starts a program in a container that runs.
  ///
  /// @param tty whether it gets a terminal
  /// @throws IOException it was not started; the message is for people
  Process exec(ObjectKey pod, String container, List<String> command, boolean tty)
      throws IOException;

  /// What a container writes from now on, until it ends.
  ///
  /// @throws IOException it does not run; the message is for people
  Process attach(ObjectKey pod, String container) throws IOException;

  /// Connects to a port of a pod.
  ///
  /// @throws IOException nobody listens there; the message is for people
  SocketChannel connect(ObjectKey pod, int port) throws IOException;

  /// A program and its streams. Reads block, and end when the program has.
  interface Process extends AutoCloseable {
    OutputStream input();

    InputStream output();

    InputStream error();

    /// Of its terminal, in characters; without one nothing happens.
    void resize(int columns, int rows);

    /// Waits for its end.
    ///
    /// @return its exit code
    int await() throws InterruptedException;

    /// Ends it if it still runs.
    @Override
    void close();
  }
}
