package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.KnownDrives;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;

/// The drives of a node that have an object, as the server knows them at the moment of the
/// question.
public record RegisteredDrives(Api api, String nodeId) implements KnownDrives {
  @Override
  public boolean mayBeAnother(DriveNames names, long size, DriveIdentity registered) {
    return api.list(BareMetalKinds.DRIVES, "", Selector.ALL).items().stream()
        .map(BareMetalKinds.DRIVE.read())
        .filter(it -> it.nodeId().equals(nodeId) && !it.identity().equals(registered))
        .anyMatch(it -> names.canBe(it, size));
  }
}
