package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.WatchAnswer;
import dev.berth.apiserver.WatchStream;
import dev.berth.apiserver.core.OwnService.Upkeep;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the parts of the service `kubernetes` right whenever somebody changes or deletes one.
final class OwnUpkeep implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OwnUpkeep.class);

  /// Until it is tried again where nothing has happened: what was refused may be taken by then.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /// After something was put right: who changes it back each time gets no more than that.
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final ApiServer api;
  private final List<Upkeep> parts;
  private final Semaphore news = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closed;

  private OwnUpkeep(ApiServer api, List<Upkeep> parts) {
    this.api = api;
    this.parts = parts;
    this.thread = Thread.ofVirtual().name("service kubernetes").unstarted(this::run);
  }

  /// Follows the parts until closed.
  static OwnUpkeep start(ApiServer api, List<Upkeep> parts) {
    var upkeep = new OwnUpkeep(api, parts);
    upkeep.thread.start();
    return upkeep;
  }

  private void run() {
    var streams = new ArrayList<WatchStream>();
    try {
      while (!closed) {
        try {
          follow(streams);
        } catch (RuntimeException defect) {
          log.error("the service kubernetes is followed anew", defect);
        } finally {
          streams.forEach(WatchStream::close);
          streams.clear();
        }
        if (!closed) Thread.sleep(PAUSE);
      }
    } catch (InterruptedException stopping) {
      log.debug("no longer keeps the service kubernetes");
    }
  }

  /// Until a watch ends, or if there is none.
  ///
  /// @param streams gets the watches, which the caller closes
  private void follow(List<WatchStream> streams) throws InterruptedException {
    var options = ListOptions.ALL.from(String.valueOf(api.revision()));
    for (var part : parts) {
      var key = part.change().key();
      var request = new WatchRequest(part.change().resource(), key.namespace(), options);
      if (!(api.watch(request, news::release) instanceof WatchAnswer.Streaming(var stream))) {
        log.warn("the service kubernetes cannot be watched; it is followed anew");
        return;
      }
      streams.add(stream);
    }
    while (!closed && streams.stream().noneMatch(WatchStream::closed)) {
      news.drainPermits();
      for (var stream : streams) while (stream.poll().isPresent()) {} // one look sees all of them
      boolean any = false;
      for (var part : parts) any |= putRight(api, part);
      if (any) Thread.sleep(PAUSE);
      else if (!news.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) log.debug("no news");
    }
  }

  /// @return whether anything was written
  static boolean putRight(ApiServer api, Upkeep part) throws InterruptedException {
    if (part.holds(api.state())) return false;
    var answer = api.handle(part.change());
    if (isRefused(answer, "NotFound")) answer = api.handle(part.creation());
    else if (isRefused(answer, "Invalid")) answer = anew(api, part);
    if (!(answer instanceof Answer.Refused(var refusal))) return true;
    log.warn(
        "{} default/kubernetes: not stored: {}",
        part.change().resource().plural(),
        refusal.message());
    return false;
  }

  /// A slice keeps its family for life.
  private static Answer anew(ApiServer api, Upkeep part) throws InterruptedException {
    Request removal = part.removal();
    var answer = api.handle(removal);
    return answer instanceof Answer.Refused ? answer : api.handle(part.creation());
  }

  private static boolean isRefused(Answer answer, String reason) {
    return answer instanceof Answer.Refused(var refusal) && refusal.reason().equals(reason);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
