package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/// Caches of one kind on virtual time, and one follower that notes what it is told.
@ExtendWith(Silence.class)
abstract class Watching {
  final VirtualTime time = new VirtualTime(1);
  final MemoryServer server = new MemoryServer();
  final Caches caches = Caches.of(server, time, List.of(KIND));
  final List<String> told = new ArrayList<>();

  void start() {
    caches.follow(List.of(KIND), new Seen());
    caches.start();
    time.settle();
  }

  /// What the follower has been told, now that it has been.
  List<String> seen() {
    time.settle();
    return told;
  }

  final class Seen implements Follower {
    @Override
    public void filled(Snapshot first) {
      told.add("filled with " + first.all(KIND).size());
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
      var latest = change.latest();
      boolean there = with.get(kind, latest.meta().key()).found().equals(change.after());
      assertThat(there).as("the snapshot has the change").isTrue();
      told.add(
          latest.meta().name()
              + " "
              + change.after().map(it -> ((Thing) it).color()).orElse("gone"));
    }
  }

  String shown(String name) {
    return caches.snapshot().get(KIND, key(name)).found().map(Thing::color).orElse("none");
  }
}
