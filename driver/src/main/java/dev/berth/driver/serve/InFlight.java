package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Which operation works on what. A second one on the same object is refused at once and told who
/// is at work (CON-01, CON-02, CON-09).
public final class InFlight {
  private final InstantSource clock;
  private final Map<Thing, Holder> holders = new HashMap<>();

  public InFlight(InstantSource clock) {
    this.clock = clock;
  }

  /// What is worked on.
  enum Kind {
    VOLUME_NAME("volume name"),
    VOLUME("volume"),
    VOLUME_ON_NODE("volume"),
    VOLUME_AT_NODE("volume"),
    SNAPSHOT_NAME("snapshot name"),
    SNAPSHOT("snapshot"),
    GROUP_NAME("group snapshot name"),
    GROUP("group snapshot");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private record Thing(Kind kind, String id) {}

  /// @param users how many operations share it; -1: one has it alone
  private record Holder(String operation, long sinceMillis, int users) {}

  /// The right to work on one thing; ends when closed.
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /// Has it alone.
  Hold hold(String operation, Kind kind, String id) {
    var thing = new Thing(kind, id);
    synchronized (holders) {
      var other = holders.get(thing);
      if (other != null) throw busy(thing, other);
      holders.put(thing, new Holder(operation, clock.millis(), -1));
    }
    return () -> release(thing);
  }

  /// Keeps it as it is, beside others that do so too: the source of a clone or snapshot.
  Hold share(String operation, Kind kind, String id) {
    var thing = new Thing(kind, id);
    synchronized (holders) {
      var other = holders.get(thing);
      if (other != null && other.users < 0) throw busy(thing, other);
      holders.put(
          thing,
          other == null
              ? new Holder(operation, clock.millis(), 1)
              : new Holder(other.operation, other.sinceMillis, other.users + 1));
    }
    return () -> release(thing);
  }

  /// What an operation has at present.
  ///
  /// @param things how many volumes, names and so on
  /// @param longest for how long it has had the first of them
  record Held(String operation, int things, Duration longest) {
    Held and(Held other) {
      return new Held(
          operation,
          things + other.things,
          longest.compareTo(other.longest) > 0 ? longest : other.longest);
    }
  }

  /// By operation; one that has nothing is not there.
  Collection<Held> held() {
    var held = new TreeMap<String, Held>();
    synchronized (holders) {
      var now = clock.millis();
      for (var holder : holders.values())
        held.merge(
            holder.operation,
            new Held(holder.operation, 1, Duration.ofMillis(now - holder.sinceMillis)),
            Held::and);
    }
    return held.values();
  }

  /// How many things are worked on.
  public int size() {
    synchronized (holders) {
      return holders.size();
    }
  }

  private void release(Thing thing) {
    synchronized (holders) {
      holders.computeIfPresent(
          thing,
          (_, holder) ->
              holder.users > 1
                  ? new Holder(holder.operation, holder.sinceMillis, holder.users - 1)
                  : null);
    }
  }

  private Refusal busy(Thing thing, Holder holder) {
    var since = Duration.ofMillis(clock.millis() - holder.sinceMillis);
    return Refusal.busy(
        "%s %s is held by %s for %d s; ask again when it has finished"
            .formatted(thing.kind.words, thing.id, holder.operation, since.toSeconds()));
  }
}
