package dev.berth.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.Problem;
import dev.berth.cli.option.ImagePlace;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.stack.Machine;
import dev.berth.cli.stack.Preflight;
import dev.berth.cli.terminal.Terminal;
import dev.berth.node.image.ImageImport;
import dev.berth.node.image.ImageName;
import dev.berth.node.image.StoredImage;
import dev.berth.node.image.archive.BrokenImageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "image",
    description =
        "Looks after the images that the built-in runtime starts containers from"
            + " (docs/images.md).",
    subcommands = {Image.Import.class, Image.ListImages.class, Image.Remove.class})
final class Image {
  private Image() {}

  @Command(
      name = "import",
      mixinStandardHelpOptions = true,
      description = {
        "Brings images from an OCI layout (a folder or a tar file, which gzip may have compressed),"
            + " or from what docker save writes. No registry is asked.",
        "Every blob is checked against its digest. A running stack, or node, has the image at once."
      },
      footer = {
        "",
        "Examples:",
        "  docker save web:1 -o web.tar && berth image import web.tar",
        "  berth image import layout/ --name localhost/web:1",
        "  berth image import web.tar --root-dir /var/lib/kubelet"
      })
  static final class Import implements Callable<Integer> {
    @Mixin private ImagePlace place = new ImagePlace();

    @Parameters(paramLabel = "FILE", description = "A folder or a file.")
    private Path file = Path.of("image.tar");

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description =
            "What pods call the image; may be given several times. Default: what the file says.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
      var parsed = new ArrayList<ImageName>();
      for (var name : names) parsed.add(name(name));
      Preflight.checkMachine();
      if (Files.notExists(file)) throw new Problem(file + ": there is no such file");
      var imported =
          tried(
              file.toString(),
              () -> {
                try (var writer = place.open()) {
                  return new ImageImport(writer, Machine.architecture(), Long.MAX_VALUE)
                      .run(file, parsed);
                }
              });
      var terminal = Terminal.standard();
      for (var image : imported)
        terminal.line(
            "imported %s (%s, %s)".formatted(namesOf(image), image.id(), size(image.bytes())));
      return 0;
    }

    private static ImageName name(String text) {
      if (text.equals("host"))
        throw Problem.ofCommandLine(
            "--name host: the image host is the machine's own root file system; choose another");
      try {
        var name = ImageName.parse(text);
        if (name.digest().isEmpty()) return name;
        throw Problem.ofCommandLine(
            "--name %s: a digest is the image's own; give a name and a tag".formatted(text));
      } catch (BrokenImageException wrong) {
        throw Problem.ofCommandLine("--name: " + wrong.getMessage());
      }
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the images that were imported.",
      footer = {"", "Example:", "  berth image list --output json"})
  static final class ListImages implements Callable<Integer> {
    @Mixin private ImagePlace place = new ImagePlace();
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      var images = tried("the images", () -> place.store().list());
      var terminal = Terminal.standard();
      if (output.whole()) terminal.line(output.write(json(images)));
      else {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("NAME", "ID", "SIZE", "IMPORTED"));
        for (var image : images)
          rows.add(
              List.of(
                  namesOf(image),
                  output.wide() ? image.id().toString() : image.id().hex().substring(0, 12),
                  size(image.bytes()),
                  image.imported().toString()));
        terminal.table(rows);
      }
      return 0;
    }

    private static JsonNode json(List<StoredImage> images) {
      var list = JsonNodeFactory.instance.arrayNode();
      for (var image : images) {
        var each = list.addObject().put("id", image.id().toString());
        var names = each.putArray("names");
        image.names().forEach(name -> names.add(name.toString()));
        image.manifest().ifPresent(digest -> each.put("manifest", digest.toString()));
        each.put("bytes", image.bytes()).put("imported", image.imported().toString());
      }
      return list;
    }
  }

  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description =
          "Takes a name off an image, and removes the image with its last name, if no container"
              + " runs from it.",
      footer = {"", "Example:", "  berth image remove localhost/web:1"})
  static final class Remove implements Callable<Integer> {
    @Mixin private ImagePlace place = new ImagePlace();

    @Parameters(paramLabel = "NAME", description = "As pods call it; or sha256:…, its id.")
    private String name = "";

    @Override
    public Integer call() {
      Preflight.checkMachine();
      var removed =
          tried(
              name,
              () -> {
                try (var writer = place.open()) {
                  return writer.remove(name);
                }
              });
      removed.forEach(each -> Terminal.standard().line("removed " + each));
      return 0;
    }
  }

  private interface Try<T> {
    T run() throws IOException;
  }

  private static <T> T tried(String what, Try<T> act) {
    try {
      return act.run();
    } catch (IOException failed) {
      var said = failed instanceof BrokenImageException ? failed.getMessage() : failed.toString();
      throw new Problem(what + ": " + said);
    }
  }

  /// Of one that is only kept for who runs from it: none.
  private static String namesOf(StoredImage image) {
    return image.names().isEmpty()
        ? "<none>"
        : image.names().stream().map(ImageName::toString).collect(Collectors.joining(", "));
  }

  private static String size(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }
}
