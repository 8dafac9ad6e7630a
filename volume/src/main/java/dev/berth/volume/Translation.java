package dev.berth.volume;

import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeName;
import java.util.Optional;

/// Shows a volume as the CSI driver knows it that serves it: the only place where a volume's source
/// is read. What is described with an in-tree plugin becomes its driver's here, in memory only
/// (MIG-02); objects keep their source for life.
///
/// It depends on the plugin, and for some on the node, which may not have the driver yet: whoever
/// asks for a node hands over that node's translation. [Indexes#VOLUMES_BY_NAME] knows no node: it
/// files a volume under the name in its object.
@FunctionalInterface
public interface Translation {
  /// Every volume is what its object says.
  Translation NONE = volume -> volume;

  /// The volume with a driver's source and what goes with it; unchanged if nothing translates it.
  Volume of(Volume volume);

  /// What a driver has to be told of the volume; empty: no CSI driver serves it.
  default Optional<CsiSource> source(Volume volume) {
    return of(volume).csi();
  }

  /// What nodes call the volume; empty: no CSI driver serves it.
  default Optional<VolumeName> name(Volume volume) {
    return source(volume).map(VolumeName::of);
  }
}
