package dev.berth.sidecar;

import dev.berth.kube.api.Caller.Rate;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.sidecar.part.Sidecar;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// How often each sidecar of a driver asks the API server at most; one that is not named as often
/// as it has something to ask. Each driver's has a budget of its own, and what polls has another:
/// upstream's are processes of their own, with `--kube-api-qps` and `--kube-api-capacity-qps`.
public record Rates(Map<Sidecar, Rate> work, Map<Sidecar, Rate> polling) {
  public static final Rates NONE = new Rates(Map.of(), Map.of());

  public Rates {
    work = Map.copyOf(work);
    polling = Map.copyOf(polling);
  }

  public Rates work(Sidecar sidecar, Rate rate) {
    return new Rates(and(work, sidecar, rate), polling);
  }

  public Rates polling(Sidecar sidecar, Rate rate) {
    return new Rates(work, and(polling, sidecar, rate));
  }

  private static Map<Sidecar, Rate> and(Map<Sidecar, Rate> some, Sidecar sidecar, Rate rate) {
    var all = new EnumMap<Sidecar, Rate>(Sidecar.class);
    all.putAll(some);
    all.put(sidecar, rate);
    return all;
  }

  Optional<Rate> of(Sidecar sidecar, Urgency urgency) {
    return Optional.ofNullable(
        switch (urgency) {
          case INTERACTIVE -> work.get(sidecar);
          case POLLING -> polling.get(sidecar);
        });
  }
}
