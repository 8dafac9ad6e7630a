package dev.berth.apiserver.http.watch;

import java.util.List;
import org.eclipse.jetty.util.Callback;

/// Where a watch's events go: one client's connection. Nothing here blocks.
interface Outlet {
  /// Sends the head, so that the client knows that it watches though nothing happens (HTTP-04).
  void open(Callback sent);

  /// Sends events, each in its pieces.
  ///
  /// @param sent called when the client's connection has taken them
  void send(List<List<byte[]>> events, Callback sent);

  /// Ends the stream as agreed.
  void end();

  /// Ends it as it cannot go on.
  void fail(Throwable cause);
}
