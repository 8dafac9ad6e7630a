package dev.berth.cli.drives;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import java.util.Map;

/// What is written about drives and volumes for whoever types: labels and annotations of the object
/// that was seen, and of none that has its name since.
public record Writing(Api api) {
  /// Sets annotations of a drive.
  public void mark(Drive drive, Map<String, String> annotations) {
    write(BareMetalKinds.DRIVES, drive.meta(), annotations);
  }

  /// Sets annotations of a volume.
  public void mark(LocalVolume volume, Map<String, String> annotations) {
    write(BareMetalKinds.VOLUMES, volume.meta(), annotations);
  }

  /// Takes back what was said for a drive's removal. What it says itself is overruled only if it is
  /// that which speaks against it.
  public void keep(Drive drive) {
    var patch = JsonNodeFactory.instance.objectNode();
    var all = patch.putObject("metadata").put("uid", drive.meta().uid()).putObject("annotations");
    all.put(Marks.ACTION, Marks.ADD).putNull(Marks.REMOVAL);
    if (drive.override().filter(Health::failing).isPresent()) all.putNull(Marks.HEALTH);
    else if (drive.observed().health().failing()) all.put(Marks.HEALTH, "good");
    api.patch(BareMetalKinds.DRIVES, drive.meta().key(), Patch.merge(patch));
  }

  /// Keeps new volumes away from a drive, or does so no longer (BM-39).
  public void cordon(Drive drive, boolean away) {
    var patch = JsonNodeFactory.instance.objectNode();
    var labels = patch.putObject("metadata").put("uid", drive.meta().uid()).putObject("labels");
    if (away) labels.put(BareMetalKinds.TAINT, "NoSchedule");
    else labels.putNull(BareMetalKinds.TAINT);
    api.patch(BareMetalKinds.DRIVES, drive.meta().key(), Patch.merge(patch));
  }

  private void write(Resource resource, Meta seen, Map<String, String> annotations) {
    var patch = JsonNodeFactory.instance.objectNode();
    var all = patch.putObject("metadata").put("uid", seen.uid()).putObject("annotations");
    annotations.forEach(all::put);
    api.patch(resource, seen.key(), Patch.merge(patch));
  }
}
