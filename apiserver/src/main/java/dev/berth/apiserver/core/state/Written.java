package dev.berth.apiserver.core.state;

import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Optional;

/// One write of one object: what a store keeps and a watch shows.
public sealed interface Written {
  Resource resource();

  ObjectKey key();

  /// When it was written. Each write has its own, greater than that of the write before.
  long revision();

  /// The object came or changed.
  ///
  /// @param before empty: it came
  record Put(Resource resource, Optional<Stored> before, Stored after) implements Written {
    @Override
    public ObjectKey key() {
      return after.key();
    }

    @Override
    public long revision() {
      return after.revision();
    }
  }

  /// The object went.
  ///
  /// @param last as it was, but with the revision at which it went
  record Removed(Resource resource, Stored before, Stored last) implements Written {
    @Override
    public ObjectKey key() {
      return last.key();
    }

    @Override
    public long revision() {
      return last.revision();
    }
  }
}
