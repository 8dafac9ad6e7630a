package dev.berth.apiserver.core;

import dev.berth.kube.model.Resource;
import java.util.List;

/// A kind of object that we serve, as discovery describes it.
///
/// @param singular `persistentvolume`
/// @param shortNames `pv`
/// @param subresources `status`, `binding`, …: those that the core answers
public record Served(
    Resource resource,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<String> subresources,
    boolean answersStatusWhenGone) {
  public Served {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = List.copyOf(subresources);
  }
}
