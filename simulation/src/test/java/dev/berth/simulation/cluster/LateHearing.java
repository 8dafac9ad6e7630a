package dev.berth.simulation.cluster;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Topic;
import dev.berth.node.Surroundings.Hearing;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;

/// Loops hear of what their process finds out later than it is to be seen, as of changes of
/// objects: in the order of each source, in no order between sources and caches.
record LateHearing(SimulatedProcess process) implements Hearing {
  private static final Duration LATEST = Duration.ofMillis(300);

  @Override
  public <S> Source<S> of(Source<S> source) {
    return new Late<>(source, process);
  }

  private record Late<S>(
      Source<S> source, SimulatedProcess process, Map<Follower<S>, Follower<S>> followers)
      implements Source<S> {
    Late(Source<S> source, SimulatedProcess process) {
      this(source, process, new IdentityHashMap<>());
    }

    @Override
    public Topic<S> topic() {
      return source.topic();
    }

    @Override
    public S now() {
      return source.now();
    }

    @Override
    public void follow(Follower<S> follower) {
      var untold = new ArrayDeque<News<S>>();
      Follower<S> late =
          news -> {
            untold.add(news);
            var delay = Duration.ofNanos(process.random().nextLong(LATEST.toNanos()));
            process.after(delay, () -> follower.changed(untold.remove()));
          };
      followers.put(follower, late);
      source.follow(late);
    }

    @Override
    public void unfollow(Follower<S> follower) {
      var late = followers.remove(follower);
      if (late != null) source.unfollow(late);
    }
  }
}
