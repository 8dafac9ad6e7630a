package dev.berth.apiserver.core.state;

import dev.berth.kube.model.Resource;
import java.util.List;
import java.util.Locale;

/// A kind of object that we serve, as discovery describes it.
///
/// @param shortNames such as `pv`
/// @param categories such as `all`
/// @param subresources `status`, `binding`, …: those that the core answers
public record Served(
    Resource resource,
    List<String> shortNames,
    List<String> categories,
    List<String> subresources) {
  public Served {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = List.copyOf(subresources);
  }

  /// `persistentvolume`.
  public String singular() {
    return resource.kind().toLowerCase(Locale.ROOT);
  }

  Served shortNames(String... names) {
    return new Served(resource, List.of(names), categories, subresources);
  }

  Served categories(String... names) {
    return new Served(resource, shortNames, List.of(names), subresources);
  }

  Served subresources(String... names) {
    return new Served(resource, shortNames, categories, List.of(names));
  }
}
