package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a client types, on its way to a program that may not read it. A little is kept; then the
/// client waits, and as nobody who waits hears that it has left, it is sent something from time to
/// time: the kernel of one that has left answers that it is not there.
final class Typing {
  private static final Logger log = LoggerFactory.getLogger(Typing.class);
  private static final byte[] END = new byte[0];
  private static final int PIECES = 16;
  private static final int PAUSE_SECONDS = 5;

  private final OutputStream input;
  private final Sign sign;
  private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(PIECES);
  private volatile boolean unread;

  /// Sends the client what it need not answer.
  @FunctionalInterface
  interface Sign {
    /// @throws IOException the client has left
    void send() throws IOException;
  }

  private Typing(OutputStream input, Sign sign) {
    this.input = input;
    this.sign = sign;
  }

  static Typing into(OutputStream input, Sign sign) {
    var typing = new Typing(input, sign);
    Thread.startVirtualThread(typing::carry);
    return typing;
  }

  /// Returns when it is kept, or nobody will ever read it.
  ///
  /// @throws IOException the client has left
  void type(byte[] bytes) throws IOException {
    if (bytes.length > 0) put(bytes);
  }

  /// Nothing more comes.
  void end() throws IOException {
    put(END);
  }

  /// Neither the program nor the client is there any more: what is kept is read by nobody.
  void abandon() {
    unread = true;
    pieces.clear();
    var _ = pieces.offer(END); // there is room: who still waits to put something puts one piece
  }

  private void put(byte[] bytes) throws IOException {
    try {
      while (!unread && !pieces.offer(bytes, PAUSE_SECONDS, TimeUnit.SECONDS)) sign.send();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }

  private void carry() {
    try (input) {
      for (var piece = pieces.take(); piece.length > 0 && !unread; piece = pieces.take()) {
        input.write(piece);
        input.flush();
      }
    } catch (IOException ended) {
      log.debug("what was typed is not read", ended);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      unread = true;
      pieces.clear(); // who waits for room goes on
    }
  }
}
