package dev.berth.node.image;

import java.util.List;

/// That a container runs from an image.
///
/// @param image its id
/// @param layers names of the layers' folders
/// @param user who, for people
public record ImageUse(String image, List<String> layers, String user) {
  public ImageUse {
    layers = List.copyOf(layers);
  }
}
