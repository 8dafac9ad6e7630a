package dev.berth.cli.drives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.Problem;
import dev.berth.cli.drives.Replacing.Intent;
import dev.berth.cli.drives.Replacing.Next;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.LocalVolume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `berth drives` does next, by what the objects say.
class ReplacingTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Intent NONE = new Intent(false, false);

  private static Drive drive(String annotations, String status) {
    try {
      return BareMetalKinds.DRIVE
          .read()
          .apply(
              YAML.readTree(
                  """
                  metadata: {name: d1, uid: u1, annotations: {%s}}
                  spec: {VID: Test, PID: Loopback, SerialNumber: HDD0001, Type: HDD, Size: 1024, NodeId: n1}
                  status: {%s, conditions: [{type: Available, status: "False", reason: HasData, message: it holds xfs}]}
                  """
                      .formatted(annotations, status)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static final String WELL = "Usage: IN_USE, Status: ONLINE, IsClean: true";

  private static Drive admitted(String status) {
    var tree =
        Drive.draft(new DriveIdentity("Test", "Loopback", "HDD0001"), DriveType.HDD, 1, "n1", true);
    try {
      tree.set("status", YAML.readTree("{" + status + "}"));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return BareMetalKinds.DRIVE.read().apply(tree);
  }

  private static LocalVolume volume(String annotations, String status) {
    try {
      return BareMetalKinds.VOLUME
          .read()
          .apply(
              YAML.readTree(
                  """
                  metadata: {name: v, namespace: default, annotations: {%s}}
                  spec: {Id: v, Recipe: 'name: "v"', Location: d1}
                  status: {CSIStatus: %s}
                  """
                      .formatted(annotations, status)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Next next(Intent intent, String annotations, String status, LocalVolume... on) {
    return new Replacing(drive(annotations, status), List.of(on), intent).next();
  }

  /// BM-131 to BM-140: each state, and what the command line says.
  @Test
  void theWayOutOfService() {
    var volume = volume("", "PUBLISHED");
    assertThat(next(NONE, "", "Usage: IN_USE, Status: ONLINE, Health: GOOD"))
        .isEqualTo(new Next.Write(Map.of("health", "bad", "removal", "ready"), List.of()));
    assertThat(next(NONE, "health: bad, removal: ready", "Usage: IN_USE, Status: ONLINE"))
        .isEqualTo(new Next.Passing());
    assertThat(next(NONE, "", "Usage: IN_USE, IsSystem: true")).isInstanceOf(Next.Person.class);
    assertThat(next(NONE, "removal: ready", "Usage: RELEASING", volume))
        .isInstanceOf(Next.Person.class);
    assertThat(next(new Intent(true, false), "removal: ready", "Usage: RELEASING", volume))
        .isEqualTo(new Next.Write(Map.of(), List.of(volume)));
    assertThat(
            next(NONE, "removal: ready", "Usage: RELEASING", volume("release: done", "PUBLISHED")))
        .isEqualTo(new Next.Passing());
    assertThat(next(NONE, "", "Usage: RELEASED"))
        .isEqualTo(new Next.Write(Map.of("removal", "ready"), List.of()));
    assertThat(next(NONE, "removal: ready", "Usage: REMOVING", volume))
        .isEqualTo(new Next.Person("it holds xfs", List.of(volume)));
    assertThat(next(NONE, "removal: ready", "Usage: REMOVING", volume("", "REMOVING")))
        .isEqualTo(new Next.Passing());
    assertThat(next(NONE, "", "Usage: REMOVED, Status: ONLINE")).isEqualTo(new Next.Pull());
    assertThat(next(NONE, "", "Usage: REMOVED, Status: OFFLINE")).isEqualTo(new Next.Passing());
    assertThat(next(NONE, "", "Usage: FAILED", volume)).isInstanceOf(Next.Person.class);
    assertThat(next(new Intent(false, true), "", "Usage: FAILED", volume))
        .isEqualTo(new Next.Write(Map.of("action", "remove"), List.of()));
  }

  /// BM-211: a list is followed only where nothing has changed since somebody read it.
  @Test
  void aListIsFollowedAsItWasRead(@TempDir Path folder) throws IOException {
    var full = drive("", "Usage: IN_USE, Status: ONLINE, IsClean: false");
    var rack = new Rack(List.of(full), List.of(), Map.of("n1", "node-1"));
    var file = folder.resolve("list.yaml");
    Files.writeString(file, ReviewedList.text(rack, "list.yaml", _ -> true));
    assertThat(file).content().contains("HDD0001", "node-1", "it holds xfs", "initialize: false");
    assertThat(ReviewedList.read(file).chosen(rack)).isEmpty();
    Files.writeString(file, Files.readString(file).replace("ize: false", "ize: true"));
    var list = ReviewedList.read(file);
    assertThat(list.chosen(rack)).containsExactly(full);
    var blank = new Rack(List.of(drive("", WELL)), List.of(), Map.of());
    assertThat(ReviewedList.text(blank, "list.yaml", _ -> true)).contains("HDD0001");
    var taken = new Rack(List.of(admitted(WELL)), List.of(), Map.of());
    assertThat(ReviewedList.text(taken, "list.yaml", _ -> true)).doesNotContain("HDD0001");
    var claimed = new Rack(List.of(), List.of(), Map.of());
    assertThatThrownBy(() -> list.chosen(claimed))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("HDD0001 changed since the list was written");
    Files.writeString(file, "drives: [{object: d1}]");
    assertThatThrownBy(() -> ReviewedList.read(file)).hasMessageContaining("a drive needs object");
  }

  @Test
  void aDriveIsNamedByItsSerialNumberOrItsObject() {
    var rack = new Rack(List.of(drive("", "Usage: IN_USE")), List.of(), Map.of());
    assertThat(rack.named("hdd0001")).isEqualTo(rack.named("d1"));
    assertThat(rack.named("drive/HDD0001")).isEqualTo(rack.named("d1"));
    assertThatThrownBy(() -> rack.named("HDD0002"))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.exitCode()).isEqualTo(2))
        .hasMessageContaining("there is no drive HDD0002");
  }
}
