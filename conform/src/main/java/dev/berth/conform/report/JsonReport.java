package dev.berth.conform.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.conform.check.Check;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import java.util.List;

/// A run, or the list of checks, as JSON.
public final class JsonReport {

  public static JsonNode of(Report report) {
    var tree = JsonNodeFactory.instance.objectNode();
    tree.put("driver", report.driver())
        .put("passed", report.passed())
        .put("failed", report.failed())
        .put("skipped", report.skipped())
        .put("milliseconds", report.took().toMillis());
    var left = tree.putArray("left");
    report.left().forEach(left::add);
    var checks = tree.putArray("checks");
    report.results().forEach(result -> checks.add(of(result)));
    return tree;
  }

  public static JsonNode of(List<Check> checks) {
    var list = JsonNodeFactory.instance.arrayNode();
    checks.forEach(check -> list.add(of(check)));
    return list;
  }

  private static ObjectNode of(Check check) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("id", check.id()).put("title", check.title()).put("rule", check.rule());
    var covers = node.putArray("covers");
    check.covers().forEach(covers::add);
    return node;
  }

  private static ObjectNode of(Result result) {
    var node = of(result.check());
    node.put("milliseconds", result.took().toMillis());
    switch (result.outcome()) {
      case Outcome.Passed _ -> node.put("result", "passed");
      case Outcome.Skipped(var reason) -> node.put("result", "skipped").put("reason", reason);
      case Outcome.Failed failed -> {
        node.put("result", "failed")
            .put("expected", failed.expected())
            .put("found", failed.found())
            .put("remedy", result.check().remedy());
        var exchanges = node.putArray("exchanges");
        for (var exchange : failed.exchanges())
          exchanges
              .addObject()
              .put("rpc", exchange.rpc())
              .put("sent", exchange.sent())
              .put("answered", exchange.answered());
      }
    }
    return node;
  }

  private JsonReport() {}
}
