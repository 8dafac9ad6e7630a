package dev.berth.apiserver.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A way to a server that forgets connections as an address translator does: their ends hear
/// nothing of each other any more, and nobody tells them.
final class Swallower implements AutoCloseable {
  private final ServerSocket door;
  private final URI server;
  private final List<Way> ways = new CopyOnWriteArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();

  Swallower(URI server) throws IOException {
    this.server = server;
    this.door = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return server.getScheme() + "://127.0.0.1:" + door.getLocalPort();
  }

  /// How many connections there have been.
  int opened() {
    return opened.get();
  }

  /// Carries nothing more over the connections that are there now.
  void swallow() {
    ways.forEach(way -> way.forgotten = true);
  }

  private void accept() {
    try {
      while (true) {
        var near = door.accept();
        opened.incrementAndGet();
        var way = new Way(near, new Socket(server.getHost(), server.getPort()));
        ways.add(way);
        Thread.ofVirtual().start(() -> way.carry(way.near, way.far));
        Thread.ofVirtual().start(() -> way.carry(way.far, way.near));
      }
    } catch (IOException closed) {
      // then nobody comes any more
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (var way : ways) way.close();
  }

  private static final class Way {
    private final Socket near;
    private final Socket far;
    private volatile boolean forgotten;

    Way(Socket near, Socket far) {
      this.near = near;
      this.far = far;
    }

    private void carry(Socket from, Socket to) {
      var buffer = new byte[8192];
      try {
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer))
          if (!forgotten) to.getOutputStream().write(buffer, 0, n);
        if (!forgotten) close();
      } catch (IOException gone) {
        // the other direction ends as well
      }
    }

    private void close() throws IOException {
      near.close();
      far.close();
    }
  }
}
