package dev.berth.cli.stack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.BareMetalDriver;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;

/// Objects that a stack brings with it, and those of nodes that it no longer has.
final class Installed {
  private Installed() {}

  /// The CSIDriver of the disk driver, which an administrator would install.
  static void ensure(Api api) {
    var spec = JsonNodeFactory.instance.objectNode().put("attachRequired", true);
    ensure(api, DiskDriver.NAME, spec);
  }

  /// That of the bare-metal driver (BM-03).
  static void ensureBareMetal(Api api) {
    var spec =
        JsonNodeFactory.instance
            .objectNode()
            .put("attachRequired", false)
            .put("podInfoOnMount", true)
            .put("storageCapacity", true)
            .put("fsGroupPolicy", "File");
    ensure(api, BareMetalDriver.NAME, spec);
  }

  private static void ensure(Api api, String name, ObjectNode spec) {
    var driver = JsonNodeFactory.instance.objectNode();
    driver
        .put("apiVersion", Resources.CSI_DRIVERS.apiVersion())
        .put("kind", Resources.CSI_DRIVERS.kind());
    driver.putObject("metadata").put("name", name);
    driver.set("spec", spec);
    try {
      api.create(Resources.CSI_DRIVERS, driver);
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken()) throw lost;
    }
  }

  /// Nodes of an earlier start with more of them are not ready: on one machine nobody has to wait
  /// for a missed heartbeat to know.
  static void retire(Api api, Collection<String> nodes) {
    for (var node : api.list(Resources.NODES, "", Selector.ALL).items()) {
      var name = Json.text(node.path("metadata"), "name");
      if (nodes.contains(name)) continue;
      var patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("status").putArray("conditions").add(notReady());
      api.patchStatus(Resources.NODES, ObjectKey.cluster(name), Patch.strategic(patch));
    }
  }

  private static ObjectNode notReady() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "Ready")
        .put("status", "Unknown")
        .put("reason", "NodeStatusUnknown")
        .put("message", "the stack was started without this node")
        .put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
