package dev.berth.node.volume;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.volume.state.ActualState;

/// Writes what [InUseReport] comes to.
///
/// @param api whose writes are in the caches before their answer
public record InUseEffects(String node, Api api, ActualState state)
    implements Effects<InUseReport.Report> {
  @Override
  public void carryOut(InUseReport.Report report) {
    var names =
        state.beginReport(report.wanted(), name -> !report.neverAttached().contains(name.driver()));
    var status = JsonNodeFactory.instance.objectNode();
    var list = status.putObject("status").putArray("volumesInUse");
    names.forEach(name -> list.add(name.toString()));
    api.patchStatus(Resources.NODES, ObjectKey.cluster(node), Patch.merge(status));
    state.reported(names);
  }
}
