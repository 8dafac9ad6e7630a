package dev.berth.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.mount.Mounts;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FolderDriverTest {
  @AutoClose private Shelf shelf;

  @BeforeEach
  void open() throws IOException {
    shelf = new Shelf();
  }

  @Test
  void aVolumeIsMadeShownAndRemoved() throws IOException {
    assumeRoot();
    var id = create(wanted("one", Mode.SINGLE_NODE_MULTI_WRITER));
    var first = shelf.folder.resolve("first");
    var second = shelf.folder.resolve("second");
    publish(id, first, Mode.SINGLE_NODE_MULTI_WRITER, false);
    publish(id, first, Mode.SINGLE_NODE_MULTI_WRITER, false);
    publish(id, second, Mode.SINGLE_NODE_MULTI_WRITER, true);
    Files.writeString(first.resolve("note"), "hello");
    assertThat(second.resolve("note")).hasContent("hello");
    assertThatThrownBy(() -> Files.writeString(second.resolve("note"), "no"))
        .hasMessageContaining("Read-only");

    assertRefused(
        Code.ALREADY_EXISTS, () -> publish(id, first, Mode.SINGLE_NODE_MULTI_WRITER, true));
    assertRefused(Code.FAILED_PRECONDITION, () -> delete(id));
    unpublish(id, first);
    unpublish(id, first);
    unpublish(id, second);
    assertThat(first).doesNotExist();
    delete(id);
    delete(id);
    unpublish(id, first);
    assertThat(shelf.shelved()).isEmpty();
  }

  @Test
  void oneWriterHasOnePath() throws IOException {
    assumeRoot();
    var id = create(wanted("one", Mode.SINGLE_NODE_SINGLE_WRITER));
    publish(id, shelf.folder.resolve("first"), Mode.SINGLE_NODE_SINGLE_WRITER, false);
    assertRefused(
        Code.FAILED_PRECONDITION,
        () -> publish(id, shelf.folder.resolve("second"), Mode.SINGLE_NODE_SINGLE_WRITER, false));
  }

  /// The folder above is the caller's (NOD-12); what stands in the target's place may be too.
  @Test
  void nothingIsMadeOrRemovedThatIsNotItsOwn() throws IOException {
    assumeRoot();
    var id = create(wanted("one", Mode.SINGLE_NODE_WRITER));
    var nowhere = shelf.folder.resolve("nowhere");
    assertThatThrownBy(() -> publish(id, nowhere.resolve("mount"), Mode.SINGLE_NODE_WRITER, false))
        .isInstanceOf(CsiException.class);
    assertThat(nowhere).doesNotExist();
    var target = shelf.folder.resolve("target");
    publish(id, target, Mode.SINGLE_NODE_WRITER, false);
    assertThat(Mounts.ofThisMachine().at(target).orElseThrow().options()).contains("nodev");
    unpublish(id, target);
    Files.writeString(target, "somebody's");
    assertRefused(Code.FAILED_PRECONDITION, () -> unpublish(id, target));
    assertThat(target).hasContent("somebody's");
  }

  @Test
  void whatBelongsToAnotherVolumeStays() throws IOException {
    assumeRoot();
    var one = create(wanted("one", Mode.SINGLE_NODE_WRITER));
    var other = create(wanted("other", Mode.SINGLE_NODE_WRITER));
    var target = shelf.folder.resolve("target");
    publish(one, target, Mode.SINGLE_NODE_WRITER, false);
    Files.writeString(target.resolve("note"), "hello");
    unpublish(other, target);
    assertThat(target.resolve("note")).hasContent("hello");
  }

  @Test
  void volumesOutliveTheDriver() throws IOException {
    var id = create(wanted("one", Mode.SINGLE_NODE_WRITER));
    shelf.restart(() -> {});
    assertThat(listed()).containsExactly(id);
    assertThat(create(wanted("one", Mode.SINGLE_NODE_WRITER))).isEqualTo(id);
  }

  @Test
  void whatACrashLeftHalfMadeGoes() throws IOException {
    shelf.restart(() -> Files.createDirectories(shelf.pool.resolve("rest-1/data/deep")));
    assertThat(shelf.shelved()).isEmpty();
  }

  record Impossible(String what, Code code, Consumer<CreateVolumeRequest.Builder> wish) {
    @Override
    public String toString() {
      return what + " is " + code;
    }
  }

  static final List<Impossible> impossible =
      List.of(
          new Impossible(
              "an unknown parameter",
              Code.INVALID_ARGUMENT,
              it -> it.putParameters("colour", "red")),
          new Impossible(
              "a block volume",
              Code.INVALID_ARGUMENT,
              it -> it.getVolumeCapabilitiesBuilder(0).getBlockBuilder()),
          new Impossible(
              "more than is free",
              Code.RESOURCE_EXHAUSTED,
              it -> it.getCapacityRangeBuilder().setRequiredBytes(Long.MAX_VALUE)));

  @ParameterizedTest
  @FieldSource
  void impossible(Impossible impossible) throws IOException {
    var wish = wanted("one", Mode.SINGLE_NODE_WRITER);
    impossible.wish.accept(wish);
    assertRefused(impossible.code, () -> create(wish));
    assertThat(shelf.shelved()).isEmpty();
  }

  @Test
  void itsCodeIsBelow150Lines() throws IOException {
    try (var files = Files.walk(Path.of("src/main/java"))) {
      var code =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .flatMap(FolderDriverTest::lines)
              .filter(line ->
                  !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
              .filter(line -> !line.strip().startsWith("//"))
              .count();
      assertThat(code).isBetween(1L, 149L);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assumeRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root: skipped");
  }

  private static CreateVolumeRequest.Builder wanted(String name, Mode mode) {
    var wish = CreateVolumeRequest.newBuilder().setName(name).addVolumeCapabilities(mount(mode));
    wish.getCapacityRangeBuilder().setRequiredBytes(1 << 20);
    return wish;
  }

  private static VolumeCapability mount(Mode mode) {
    var capability = VolumeCapability.newBuilder();
    capability.getMountBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    return capability.build();
  }

  private String create(CreateVolumeRequest.Builder wish) {
    return shelf.controller().createVolume(wish.build()).getVolume().getVolumeId();
  }

  private void delete(String id) {
    shelf.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  private List<String> listed() {
    return shelf
        .controller()
        .listVolumes(ListVolumesRequest.getDefaultInstance())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getVolume().getVolumeId())
        .toList();
  }

  private void publish(String id, Path target, Mode mode, boolean readOnly) {
    shelf
        .node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .setVolumeCapability(mount(mode))
                .setReadonly(readOnly)
                .build());
  }

  private void unpublish(String id, Path target) {
    shelf
        .node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
  }

  private static void assertRefused(Code code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
