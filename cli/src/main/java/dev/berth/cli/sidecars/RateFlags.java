package dev.berth.cli.sidecars;

import dev.berth.cli.flags.Given;
import dev.berth.cli.flags.Program;
import dev.berth.kube.api.Caller.Rate;
import dev.berth.sidecar.Rates;
import java.util.Collection;
import java.util.Optional;

/// What `--kube-api-qps` and `--kube-api-burst` bound, where they are given: without them a sidecar
/// asks as often as it has something to ask, and obeys the server's `Retry-After`.
public final class RateFlags {
  /// client-go's, for whoever says 0.
  private static final int STANDARD = 5;

  private RateFlags() {}

  static Rates of(Collection<Given> lines) {
    var rates = Rates.NONE;
    for (var given : lines) {
      var sidecar = given.program().sidecar();
      var rate = of(given);
      if (sidecar.isEmpty()) continue;
      if (rate.isPresent())
        rates = rates.work(sidecar.get(), rate.get()).polling(sidecar.get(), rate.get());
      if (given.program() != Program.PROVISIONER) continue;
      var room = of(given, "kube-api-capacity-qps", "kube-api-capacity-burst");
      if (room.isPresent()) rates = rates.polling(sidecar.get(), room.get());
    }
    return rates;
  }

  public static Optional<Rate> of(Given given) {
    return of(given, "kube-api-qps", "kube-api-burst");
  }

  /// As client-go reads them: below 0 there is no bound.
  private static Optional<Rate> of(Given given, String perSecond, String burst) {
    if (!given.has(perSecond) && !given.has(burst)) return Optional.empty();
    double rate = given.number(perSecond);
    int atOnce = given.whole(burst);
    if (rate < 0) return Optional.empty();
    return Optional.of(new Rate(rate == 0 ? STANDARD : rate, atOnce <= 0 ? 2 * STANDARD : atOnce));
  }
}
