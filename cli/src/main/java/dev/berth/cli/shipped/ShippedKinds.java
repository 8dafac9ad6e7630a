package dev.berth.cli.shipped;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees to it that a server has the kinds that we bring (API-02).
public final class ShippedKinds {
  private static final Logger log = LoggerFactory.getLogger(ShippedKinds.class);

  private ShippedKinds() {}

  /// Creates each definition that is missing and brings those up to date that are still ours. What
  /// cannot be installed is logged, and tried again at the next start.
  public static void install(Api api) {
    for (var kind : ShippedKind.all()) {
      try {
        install(api, kind);
      } catch (ApiException refused) {
        log.warn("{} is not installed: {}", kind.name(), refused.getMessage());
      }
    }
  }

  private static void install(Api api, ShippedKind kind) {
    ObjectNode stored;
    try {
      stored = api.get(Resources.DEFINITIONS, ObjectKey.cluster(kind.name()));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      create(api, kind);
      return;
    }
    if (ShippedKind.isOurs(stored)) update(api, kind, stored);
  }

  private static void create(Api api, ShippedKind kind) {
    try {
      api.create(Resources.DEFINITIONS, kind.object());
    } catch (ApiException.LostRace somebodyElse) {
      log.debug("{} was created by somebody else", kind.name());
    }
  }

  private static void update(Api api, ShippedKind kind, ObjectNode stored) {
    var ours = kind.object();
    if (ShippedKind.mark(ours.path("spec")).equals(ShippedKind.mark(stored.path("spec")))) return;
    var changed = stored.deepCopy();
    changed.set("spec", ours.path("spec"));
    var annotations = ours.path("metadata").path("annotations");
    for (var each : annotations.properties())
      changed
          .withObject("metadata")
          .withObject("annotations")
          .put(each.getKey(), Json.text(annotations, each.getKey()));
    try {
      api.update(Resources.DEFINITIONS, changed);
      log.info("{} is brought up to date", kind.name());
    } catch (ApiException.LostRace somebodyElse) {
      log.debug("{} was changed by somebody else", kind.name());
    }
  }
}
