package dev.berth.node.volume;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.volume.state.ActualState;
import java.util.Set;

/// Writes what [InUseReport] comes to.
///
/// @param api whose writes are in the caches before their answer
public record InUseEffects(String node, Api api, ActualState state)
    implements Effects<InUseReport.Report> {
  @Override
  public void carryOut(InUseReport.Report report) {
    var names =
        state.beginReport(report.wanted(), name -> !report.neverAttached().contains(name.driver()));
    var key = ObjectKey.cluster(node);
    api.patchStatus(Resources.NODES, key, patch(api.get(Resources.NODES, key), names));
    state.reported(names);
  }

  /// Of this version of the node, and to another: an earlier report that is still on its way to the
  /// server, ours or that of a process before us, is refused from then on and takes no volume out
  /// of the list that has been mounted meanwhile (AD-63). What the list says already is therefore
  /// said in other words, with one name twice.
  private static Patch patch(ObjectNode now, Set<VolumeName> names) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("resourceVersion", Meta.of(now).resourceVersion());
    var list = body.putObject("status").putArray("volumesInUse");
    names.forEach(name -> list.add(name.toString()));
    if (!list.isEmpty() && list.equals(now.at("/status/volumesInUse"))) list.add(list.get(0));
    return Patch.merge(body);
  }
}
