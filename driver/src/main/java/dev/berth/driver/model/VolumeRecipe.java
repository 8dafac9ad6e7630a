package dev.berth.driver.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What somebody asked for when a volume was made, without the secrets. A driver keeps it with the
/// volume: asked again under the same name, the SDK compares the two (CTL-12).
///
/// @param name the caller's name: the same name again is the same volume
/// @param usages all of them must be possible
/// @param parameters of the storage class; keys of Kubernetes itself are taken out
/// @param mutableParameters of the attributes class; they go before equal keys of `parameters`
/// @param source empty: a blank volume
public record VolumeRecipe(
    String name,
    SizeRange size,
    List<Usage> usages,
    Map<String, String> parameters,
    Map<String, String> mutableParameters,
    Optional<Source> source,
    Placement placement) {
  public VolumeRecipe {
    usages = List.copyOf(usages);
    parameters = Map.copyOf(parameters);
    mutableParameters = Map.copyOf(mutableParameters);
  }

  /// One line of text, for a driver to keep; [#decode] reads it. Of mount flags it tells only
  /// whether others are the same ([Usage#kept]).
  public String encode() {
    var kept = usages.stream().map(Usage::kept).toList();
    return Wire.text(
        new VolumeRecipe(name, size, kept, parameters, mutableParameters, source, placement));
  }

  /// Reads a recipe back.
  ///
  /// @param text of [#encode]
  /// @throws IllegalArgumentException if it is not
  public static VolumeRecipe decode(String text) {
    return Wire.recipe(text);
  }

  public boolean block() {
    return usages.stream().anyMatch(Usage::block);
  }

  /// Whether it asks for a raw device and for a file system, of which a volume is one (CAP-02).
  public boolean bothKinds() {
    return block() && !usages.stream().allMatch(Usage::block);
  }

  public VolumeRecipe withMutableParameters(Map<String, String> parameters) {
    return new VolumeRecipe(name, size, usages, this.parameters, parameters, source, placement);
  }
}
