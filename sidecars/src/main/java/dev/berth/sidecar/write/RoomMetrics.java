package dev.berth.sidecar.write;

import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/// How many objects that publish room there are to be, are, and are to go, of all drivers together
/// (PROV-187).
public final class RoomMetrics {
  private final Gauge goal;
  private final Gauge current;
  private final Gauge obsolete;
  private final Map<String, Counts> drivers = new ConcurrentHashMap<>();

  /// @param wanted for what room is to be published
  /// @param published for what of that it is
  /// @param going objects that are to go, and have not
  private record Counts(Set<Object> wanted, Set<Object> published, Set<Object> going) {
    Counts() {
      this(
          ConcurrentHashMap.newKeySet(),
          ConcurrentHashMap.newKeySet(),
          ConcurrentHashMap.newKeySet());
    }
  }

  RoomMetrics(PrometheusRegistry registry) {
    goal =
        gauge(
                "csistoragecapacities_desired_goal",
                "CSIStorageCapacity objects that are to be there")
            .register(registry);
    current =
        gauge("csistoragecapacities_desired_current", "Those of them that are there")
            .register(registry);
    obsolete =
        gauge("csistoragecapacities_obsolete", "Objects that are there and are going to be deleted")
            .register(registry);
  }

  private static Gauge.Builder gauge(String name, String help) {
    return Gauge.builder().name(name).help(help).withoutExemplars();
  }

  /// @param slots for what room of the driver is to be published from now on
  public void wants(String driver, Set<?> slots) {
    var counts = of(driver);
    counts.wanted.addAll(slots);
    counts.wanted.retainAll(new HashSet<Object>(slots));
    counts.published.retainAll(counts.wanted);
    show();
  }

  public void published(String driver, Object slot) {
    var counts = of(driver);
    if (counts.wanted.contains(slot)) counts.published.add(slot);
    show();
  }

  public void isToGo(String driver, Object object) {
    of(driver).going.add(object);
    show();
  }

  public void hasGone(String driver, Object object) {
    of(driver).going.remove(object);
    show();
  }

  private Counts of(String driver) {
    return drivers.computeIfAbsent(driver, _ -> new Counts());
  }

  private void show() {
    goal.set(sum(counts -> counts.wanted.size()));
    current.set(sum(counts -> counts.published.size()));
    obsolete.set(sum(counts -> counts.going.size()));
  }

  private int sum(ToIntFunction<Counts> what) {
    return drivers.values().stream().mapToInt(what).sum();
  }
}
