package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// What is imported is there, and what is not is not: also after a process was killed.
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, which owners and whiteouts need")
class ImageStoreTest {
  private static final long ROOM = 1 << 26;

  @TempDir private Path folder;
  private ImageStore store;

  @BeforeEach
  void open() {
    store = new ImageStore(folder.resolve("images"));
  }

  private List<StoredImage> bring(Path file, String... names) throws IOException {
    return bring(List.of(), file, names);
  }

  private List<StoredImage> bring(List<ImageUse> uses, Path file, String... names)
      throws IOException {
    var parsed = new ArrayList<ImageName>();
    for (var name : names) parsed.add(ImageName.parse(name));
    try (var writer = ImageStoreWriter.open(store, () -> uses)) {
      return new ImageImport(writer, TestImage.MACHINE, ROOM).run(file, parsed);
    }
  }

  private List<String> remove(List<ImageUse> uses, String name) throws IOException {
    try (var writer = ImageStoreWriter.open(store, () -> uses)) {
      return writer.remove(name);
    }
  }

  private static TestImage image(String content) {
    return new TestImage()
        .layer(new TestTar().folder("a/", 0750).file("a/below", 0644, "below").bytes())
        .layer(new TestTar().file("a/file", 04755, content).bytes());
  }

  private long layers() throws IOException {
    try (var layers = Files.list(folder.resolve("images/layers"))) {
      return layers.count();
    }
  }

  @Test
  void anImageIsKnownByEachOfItsNamesAndItsDigest() throws Exception {
    var brought = bring(image("x").tar(folder.resolve("x.tar"), "registry.example/web:1"));
    var image = brought.getFirst();
    assertThat(store.find("registry.example/web:1")).contains(image);
    assertThat(store.find("registry.example/web@" + image.manifest().orElseThrow()))
        .contains(image);
    assertThat(store.find("registry.example/web:2")).isEmpty();
    assertThat(store.find("web:1")).isEmpty();
    var again = bring(folder.resolve("x.tar"), "web");
    assertThat(again.getFirst().names())
        .extracting(ImageName::toString)
        .containsExactly("docker.io/library/web:latest", "registry.example/web:1");
    assertThat(store.find("docker.io/library/web:latest")).isEqualTo(store.find("web"));
    assertThat(layers()).isEqualTo(2);
    assertThat(store.folder().resolve("work")).isEmptyDirectory();
  }

  @Test
  void aFolderAndACompressedTarAreTheSame() throws Exception {
    var tar = image("x").tar(folder.resolve("x.tar"), "");
    var fromTar = bring(tar, "web:1");
    var fromFolder = bring(image("x").folder(folder.resolve("x"), ""), "web:2");
    Files.write(folder.resolve("x.tgz"), TestImage.gzip(Files.readAllBytes(tar)));
    var fromGzip = bring(folder.resolve("x.tgz"), "web:3");
    assertThat(fromFolder.getFirst().id()).isEqualTo(fromTar.getFirst().id());
    assertThat(fromGzip.getFirst().id()).isEqualTo(fromTar.getFirst().id());
    assertThat(store.list()).hasSize(1);
  }

  @Test
  void whatDockerSavesIsTaken() throws Exception {
    var layer = new TestTar().file("file", 0644, "x").bytes();
    var made = new TestImage().layer(layer);
    made.files("");
    var config = made.config.toString().getBytes(StandardCharsets.UTF_8);
    var id = Digest.of(config).hex();
    var manifest =
        "[{\"Config\":\"%s.json\",\"RepoTags\":[\"web:old\"],\"Layers\":[\"b/layer.tar\"]}]"
            .formatted(id);
    var tar =
        new TestTar()
            .folder("a/", 0755)
            .file("a/layer.tar", 0644, layer)
            .link("b/layer.tar", "../a/layer.tar")
            .file(id + ".json", 0644, config)
            .file("manifest.json", 0644, manifest);
    Files.write(folder.resolve("saved.tar"), tar.bytes());
    assertThat(bring(folder.resolve("saved.tar")).getFirst().id().hex()).isEqualTo(id);
    assertThat(store.find("web:old")).isPresent();
  }

  @Test
  void layersThatTwoImagesShareGoWithTheLast() throws Exception {
    bring(image("x").tar(folder.resolve("x.tar"), ""), "x:1");
    bring(image("y").tar(folder.resolve("y.tar"), ""), "y:1");
    assertThat(layers()).isEqualTo(3);
    assertThat(remove(List.of(), "x:1")).containsExactly("docker.io/library/x:1");
    assertThat(layers()).isEqualTo(2);
    assertThat(store.find("y:1")).isPresent();
    remove(List.of(), store.find("y:1").orElseThrow().id().toString());
    assertThat(layers()).isZero();
    assertThat(store.list()).isEmpty();
    assertThatThrownBy(() -> remove(List.of(), "y:1"))
        .isInstanceOf(BrokenImageException.class)
        .hasMessageContaining("there is no image \"y:1\"");
  }

  @Test
  void whatAContainerRunsFromStays() throws Exception {
    var image = bring(image("x").tar(folder.resolve("x.tar"), ""), "x:1").getFirst();
    var uses = List.of(new ImageUse(image.id().toString(), image.layers(), "container app"));
    assertThatThrownBy(() -> remove(uses, "x:1")).hasMessageContaining("in use by container app");
    assertThat(store.find("x:1")).contains(image);
    // Another image takes the name: the one that is used is nobody's, and stays.
    bring(uses, image("y").tar(folder.resolve("y.tar"), ""), "x:1");
    assertThat(store.image(image.id())).isPresent();
    assertThat(layers()).isEqualTo(3);
    remove(List.of(), "x:1");
    assertThat(layers()).isZero();
  }

  /// It noted its use when it was looked already who uses what.
  @Test
  void whatAContainerJustStartsFromStays() throws Exception {
    var image = bring(image("x").tar(folder.resolve("x.tar"), ""), "x:1").getFirst();
    bring(image("y").tar(folder.resolve("y.tar"), ""), "x:1");
    var use = new ImageUse(image.id().toString(), image.layers(), "container app");
    var looks = new AtomicInteger();
    ImageStoreWriter.open(store, () -> looks.getAndIncrement() == 0 ? List.of() : List.of(use))
        .close();
    assertThat(store.image(image.id())).isPresent();
    assertThat(layers()).isEqualTo(3);
    ImageStoreWriter.open(store, List::of).close();
    assertThat(store.image(image.id())).isEmpty();
    assertThat(layers()).isEqualTo(2);
  }

  /// What a process that was killed may have left, whenever that was.
  @Test
  void whatIsHalfIsNotUsedAndGoes() throws Exception {
    var image = bring(image("x").tar(folder.resolve("x.tar"), ""), "x:1").getFirst();
    var images = store.folder();
    Files.createDirectories(images.resolve("work/half/a"));
    Files.writeString(images.resolve("work/half/a/file"), "x");
    Files.createDirectories(images.resolve("layers/" + "0".repeat(32))); // of no image
    Files.copy(
        images.resolve("known/" + image.id().hex() + ".json"),
        images.resolve("known/" + "1".repeat(64) + ".json")); // without a name
    assertThat(store.find("x:1")).contains(image);
    bring(image("y").tar(folder.resolve("y.tar"), ""), "y:1");
    assertThat(images.resolve("work")).isEmptyDirectory();
    assertThat(layers()).isEqualTo(3);
    assertThat(store.list()).hasSize(2);
    Files.move(
        images.resolve("known/" + image.id().hex() + ".json"),
        images.resolve("known/" + image.id().hex() + ".going")); // of a removal
    assertThat(store.find("x:1")).isEmpty();
    bring(folder.resolve("y.tar"), "y:1");
    assertThat(store.find("x:1")).contains(image);
  }

  @Test
  void namesAreAsKubernetesHasThem() throws Exception {
    for (var name : List.of("UPPER/x:1", "", "a b", "x:", "x@sha256:12", "../x", "x:1:2", "/x"))
      assertThatThrownBy(() -> ImageName.parse(name))
          .as(name)
          .isInstanceOf(BrokenImageException.class);
    assertThat(ImageName.parse("localhost:5000/a/b:1").repository())
        .isEqualTo("localhost:5000/a/b");
    assertThat(ImageName.parse("team/web").toString()).isEqualTo("docker.io/team/web:latest");
  }
}
