package dev.berth.cli.drives;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;

/// What was told of a drive by events.
public final class Told {
  private Told() {}

  /// How often an event with this reason was told.
  public static int times(Api api, Drive drive, String reason) {
    var selector =
        Selector.fields("involvedObject.uid=%s,reason=%s".formatted(drive.meta().uid(), reason));
    return api.list(Resources.EVENTS, "", selector).items().stream()
        .filter(it -> Json.text(it, "reason").equals(reason))
        .mapToInt(it -> Math.max(1, it.path("count").asInt()))
        .sum();
  }
}
