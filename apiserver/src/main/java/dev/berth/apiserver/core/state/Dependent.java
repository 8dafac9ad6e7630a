package dev.berth.apiserver.core.state;

import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Comparator;

/// An object that another one owns.
public record Dependent(Resource resource, ObjectKey key) implements Comparable<Dependent> {
  private static final Comparator<Dependent> ORDER =
      Comparator.comparing((Dependent each) -> each.resource.group())
          .thenComparing(each -> each.resource.plural())
          .thenComparing(Dependent::key);

  @Override
  public int compareTo(Dependent other) {
    return ORDER.compare(this, other);
  }
}
