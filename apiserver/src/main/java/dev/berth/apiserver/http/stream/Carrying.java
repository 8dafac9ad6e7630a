package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Carries all that a program writes to its client, until the program has ended.
final class Carrying {
  private static final int BLOCK = 16 * 1024;

  /// After so long without a word from what a program has left to others, its end is told.
  private static final int REST_SECONDS = 2;

  private final Client client;

  /// How many blocks are on their way to the client, and how many have been.
  private final AtomicInteger sending = new AtomicInteger();

  private final AtomicLong sent = new AtomicLong();

  /// Who reads.
  interface Client {
    /// Returns when they are on their way.
    void output(byte[] bytes, int count) throws IOException;

    /// The same for what is written to standard error.
    void error(byte[] bytes, int count) throws IOException;
  }

  private interface Send {
    void send(byte[] bytes, int count) throws IOException;
  }

  Carrying(Client client) {
    this.client = client;
  }

  /// Returns when the program has ended and all that it has written is on its way, however slow the
  /// client is.
  ///
  /// @return its exit code
  int carry(PodStreams.Process process, Wanted wanted) throws IOException, InterruptedException {
    if (!wanted.input()) process.input().close();
    var ended = new CountDownLatch(2);
    copy(process.output(), client::output, wanted.output(), ended);
    copy(process.error(), client::error, wanted.error(), ended);
    int code = process.await();
    long before;
    do before = sent.get();
    while (!ended.await(REST_SECONDS, TimeUnit.SECONDS)
        && (sending.get() > 0 || sent.get() != before));
    return code;
  }

  /// What nobody wants is read all the same: a program must not hang because of it.
  private void copy(InputStream from, Send to, boolean wanted, CountDownLatch ended) {
    Thread.startVirtualThread(() -> {
      var block = new byte[BLOCK];
      try {
        for (int count = from.read(block); count >= 0; count = from.read(block))
          if (wanted && count > 0) send(to, block, count);
      } catch (IOException _) {
        // the program was killed, or the client has left
      } finally {
        ended.countDown();
      }
    });
  }

  private void send(Send to, byte[] block, int count) throws IOException {
    sending.incrementAndGet();
    try {
      to.send(block, count);
    } finally {
      sent.incrementAndGet();
      sending.decrementAndGet();
    }
  }
}
