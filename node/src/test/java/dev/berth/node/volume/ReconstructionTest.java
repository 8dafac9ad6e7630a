package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What an agent makes of the notes that earlier ones have left.
class ReconstructionTest {
  private final MemoryFiles files = new MemoryFiles(new MemoryDriver());

  @Test
  void nothingComesOfNothing() throws IOException {
    assertThat(Reconstruction.from(files)).isEqualTo(Actual.NOTHING);
  }

  /// NREC-02: that and where, never how. NVM-09: of what is found nothing is certain.
  @Test
  void aNoteSaysWhoseAMountMayBeAndNothingElse() throws IOException {
    files.announceStaging(World.NAME, "pv-1", "1000");
    files.announcePublication(World.NAME, "pod-1", "pv-1", Form.CLAIMED);
    var found = Reconstruction.from(files).volume(World.NAME);
    assertThat(found)
        .isEqualTo(
            Actual.NOTHING
                .volume(World.NAME)
                .with(new Staging.Uncertain(true, Optional.of("1000")))
                .with("pod-1", new Publication.Uncertain("pv-1", true)));
    assertThat(found.attached()).isEmpty();
    assertThat(found.publishedFor("pod-1")).isFalse();
    assertThat(found.mounted()).isTrue();
  }
}
