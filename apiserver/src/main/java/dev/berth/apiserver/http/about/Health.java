package dev.berth.apiserver.http.about;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.http.exchange.Exchange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// `/healthz`, `/livez` and `/readyz`.
public final class Health {
  private static final String ALIVE = "livez";

  /// What being alive takes: a start anew would mend none of the others, a full disk least of all.
  private final Map<String, Supplier<Optional<String>>> alive = new LinkedHashMap<>();

  private final Map<String, Supplier<Optional<String>>> ready = new LinkedHashMap<>();

  public Health(ApiServer api) {
    alive.put("ping", Optional::empty);
    ready.putAll(alive);
    ready.put("storage", api::trouble);
  }

  /// Says whether we are well.
  ///
  /// @param probe such as `readyz`
  /// @param check name of the only check to make; empty: all
  /// @return whether there is such a check
  public boolean answer(Exchange exchange, String probe, String check) {
    var checks = probe.equals(ALIVE) ? alive : ready;
    if (!check.isEmpty() && !checks.containsKey(check)) return false;
    var report = new StringBuilder();
    boolean well = true;
    for (var each : checks.entrySet()) {
      if (!check.isEmpty() && !check.equals(each.getKey())) continue;
      var trouble = each.getValue().get();
      well &= trouble.isEmpty();
      report.append(line(each.getKey(), trouble));
    }
    report.append(probe).append(well ? " check passed\n" : " check failed\n");
    boolean brief = well && !exchange.query().truth("verbose");
    exchange.text(well ? 200 : 500, brief ? "ok" : report.toString());
    return true;
  }

  private static String line(String check, Optional<String> trouble) {
    return trouble
        .map(why -> "[-]" + check + " failed: " + why + "\n")
        .orElse("[+]" + check + " ok\n");
  }
}
