package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.node.image.ImageStore;
import dev.berth.node.image.ImageStoreWriter;
import dev.berth.node.image.ImageUse;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.host.ImportedImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Whose images are meant: those of a stack, which all of its nodes have, or those of a node.
public final class ImagePlace {
  @Mixin private HomeOption home = new HomeOption();

  @Option(
      names = "--root-dir",
      paramLabel = "DIR",
      description = "Root directory of a node (`berth node --root-dir DIR`), in place of --home.")
  private Optional<Path> root = Optional.empty();

  public ImageStore store() {
    return root.isPresent() ? ImportedImages.of(layout(root.get())).store() : home.home().images();
  }

  /// For who changes them, alone.
  public ImageStoreWriter open() throws IOException {
    return ImageStoreWriter.open(store(), this::uses);
  }

  private List<ImageUse> uses() {
    if (root.isPresent()) return ImportedImages.inUse(layout(root.get()));
    var stack = home.home();
    return stack.nodes().stream()
        .flatMap(node -> ImportedImages.inUse(new Layout(stack.kubelet(node))).stream())
        .toList();
  }

  private static Layout layout(Path root) {
    if (root.toString().isBlank())
      throw Problem.ofCommandLine("--root-dir is empty; name a folder");
    return new Layout(root.toAbsolutePath());
  }
}
