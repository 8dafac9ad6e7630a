package dev.berth.node.volume.state;

import dev.berth.kube.model.VolumeName;
import dev.berth.node.layout.Layout;
import java.util.Set;

/// Something is here, or may be, of a volume of which no note says which it is: by what the
/// directories still tell of it.
public sealed interface Lost {
  /// Pods that have it, or may have.
  Set<String> podUids();

  /// As people read of it.
  String text();

  /// It is staged.
  ///
  /// @param digest of the volume's handle: the directory has no more of it
  record Staged(String driver, String digest) implements Lost {
    /// Whether it may be this volume.
    public boolean isOf(VolumeName name) {
      return driver.equals(name.driver()) && digest.equals(Layout.sha256(name.handle()));
    }

    @Override
    public Set<String> podUids() {
      return Set.of();
    }

    @Override
    public String text() {
      return driver + "/" + digest;
    }
  }

  /// It is a device.
  ///
  /// @param spec name of its PersistentVolume
  record Device(String spec, Set<String> podUids) implements Lost {
    public Device {
      podUids = Set.copyOf(podUids);
    }

    @Override
    public String text() {
      return spec;
    }
  }

  /// A pod has it as files. Each pod's is one by itself: what is called alike in two pods is one
  /// volume only if it is a PersistentVolume.
  ///
  /// @param spec name of its PersistentVolume, or in the pod if it is the pod's own
  record Published(String podUid, String spec) implements Lost {
    @Override
    public Set<String> podUids() {
      return Set.of(podUid);
    }

    @Override
    public String text() {
      return spec;
    }
  }
}
