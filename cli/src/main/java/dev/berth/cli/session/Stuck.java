package dev.berth.cli.session;

import dev.berth.explain.Explainer;
import dev.berth.explain.answer.ChainJson;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Says what pods wait for, once for each new reason. Reads everything once, and follows it from
/// then on.
public final class Stuck implements AutoCloseable {
  private final SystemTime time = new SystemTime("stuck");
  private final Caches caches;
  private final CountDownLatch filled = new CountDownLatch(1);
  private final Map<ObjectKey, String> told = new HashMap<>();

  /// Begins to read.
  public Stuck(Api api) {
    caches = Caches.of(api, time, Voices.KINDS);
    caches.follow(Voices.KINDS, new Filled());
    caches.start();
  }

  /// @param lines for people
  public record Word(Explanation explanation, List<String> lines) {}

  /// Empty: it waits for nothing, or for what was said before.
  public Optional<Word> about(ObjectKey pod) throws InterruptedException {
    filled.await();
    var objects = caches.snapshot();
    var now = Instant.now();
    var subject = Ref.of(Resources.PODS, pod);
    var explanation = new Explainer(objects).explain(subject, now);
    if (explanation.chain().isEmpty()) return Optional.empty();
    // The JSON has no ages, so it changes only when something does.
    var what = ChainJson.of(explanation).toString();
    if (what.equals(told.put(pod, what))) return Optional.empty();
    return Optional.of(new Word(explanation, ChainText.lines(explanation, now)));
  }

  @Override
  public void close() {
    caches.close();
    time.close();
  }

  private final class Filled implements Follower {
    @Override
    public void filled(Snapshot first) {
      filled.countDown();
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {}
  }
}
