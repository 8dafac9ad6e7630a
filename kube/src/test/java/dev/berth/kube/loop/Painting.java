package dev.berth.kube.loop;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static java.util.stream.Collectors.joining;

import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/// A loop on virtual time whose controller paints things red, for tests of what the loop promises.
@ExtendWith(Silence.class)
abstract class Painting {
  static final Topic<String> MOOD = new Topic<>("mood", "grey");
  final VirtualTime time = new VirtualTime(1);
  final MemoryServer server = new MemoryServer();
  final Caches caches = Caches.of(server, time, List.of(KIND, OTHER));
  final List<Notice> told = new ArrayList<>();
  final Painter painter = new Painter();
  final Told<String> mood = new Told<>(MOOD);
  Loop<ObjectKey> loop = loop(Pace.CONTROLLER);

  Loop<ObjectKey> loop(Pace pace) {
    var metrics = new LoopMetrics(new PrometheusRegistry());
    return new Loop<>(controller(), caches, Sources.of(mood), time, told::add, pace, metrics);
  }

  Controller<ObjectKey, Facts, Paint> controller() {
    return new Controller<>(painter, painter);
  }

  void start() {
    caches.start();
    loop.start();
    time.settle();
  }

  record Paint(ObjectKey key, String over, boolean alike) implements Effect {
    @Override
    public Object likeness() {
      return alike ? getClass() : List.of(getClass(), over);
    }
  }

  /// A failure that an effect may meet.
  interface Accident {
    void happen(Paint effect) throws Exception;
  }

  final class Painter implements Decider<ObjectKey, Facts, Paint>, Effects<Paint> {
    final List<String> looks = new ArrayList<>();
    final List<Instant> effects = new ArrayList<>();
    Accident before = _ -> {};
    Runnable onLook = () -> {};
    boolean paints = true;
    boolean alike = true;
    int running;
    int mostRunning;

    @Override
    public String name() {
      return "painter";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(KIND, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.none(OTHER),
          Trigger.on(
              MOOD,
              (news, facts) ->
                  facts.all(KIND).stream()
                      .filter(it -> it.color().equals("moody"))
                      .map(it -> it.meta().key())));
    }

    @Override
    public Facts view(Facts facts, Instant now) {
      return facts;
    }

    @Override
    public Class<Paint> effectType() {
      return Paint.class;
    }

    @Override
    public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
      return Stream.of(subject.key());
    }

    @Override
    public Step decide(Facts view, ObjectKey key) {
      var found = view.get(KIND, key).found();
      looks.add(key.name() + " " + found.map(Thing::color).orElse("gone"));
      onLook.run();
      var ref = KIND.ref(key);
      return switch (found.map(Thing::color).orElse("gone")) {
        case "gone", "red" -> new Settled();
        case "wet" ->
            Wait.on(ref, "color").until("it is dry").tell(Notice.normal(ref, "Wet", "wet paint"));
        case "pale" -> Settled.but(Notice.warning(ref, "Pale", "it will fade"));
        case "moody" ->
            view.of(MOOD).equals("sunny")
                ? new Act(new Paint(key, "moody", alike))
                : Wait.on(ref, "color").until("the sun shines");
        case "fresh" -> new Settled().lookAgainAt(Instant.parse("2026-01-01T12:00:00Z"));
        case "strange" -> new Act(new Effect() {});
        case "slow" ->
            Wait.on(ref, "color").until("noon").lookAgainAt(Instant.parse("2026-01-01T12:00:00Z"));
        case "broken" -> throw new IllegalStateException("no such color");
        default -> new Act(new Paint(key, found.orElseThrow().color(), alike));
      };
    }

    @Override
    public void carryOut(Paint effect) throws Exception {
      effects.add(time.now());
      mostRunning = Math.max(mostRunning, ++running);
      try {
        before.happen(effect);
        if (paints) paint(effect.key(), "red");
      } finally {
        running--;
      }
    }
  }

  void paint(ObjectKey key, String color) {
    caches.api().patch(KIND.resource(), key, Patch.merge(color(color)));
  }

  /// As somebody else would.
  void repaint(String name, String color) {
    server.patch(KIND.resource(), key(name), Patch.merge(color(color)));
  }

  void create(String name, String color) {
    server.create(KIND.resource(), thing(name, color));
  }

  String trouble() {
    return loop.failures().values().stream().map(Loop.Failure::text).collect(joining());
  }

  List<Duration> pauses() {
    var pauses = new ArrayList<Duration>();
    for (int i = 1; i < painter.effects.size(); i++)
      pauses.add(Duration.between(painter.effects.get(i - 1), painter.effects.get(i)));
    return pauses;
  }

  static final class PaintIsOut extends IOException {
    static final long serialVersionUID = 1;
  }
}
