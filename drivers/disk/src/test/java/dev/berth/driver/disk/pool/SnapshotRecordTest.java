package dev.berth.driver.disk.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.model.Snapshot.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotRecordTest {
  private static final SnapshotRecord RECORD =
      new SnapshotRecord(
          "snap-a",
          "daily",
          "vol-a",
          8192,
          4096,
          Instant.EPOCH,
          Optional.of(Kind.BLOCK),
          Optional.empty(),
          Map.of("a", "b"));

  @Test
  void whatWasWrittenIsRead() {
    assertThat(SnapshotRecord.of(RECORD.values())).isEqualTo(RECORD);
  }

  @Test
  void ofARecordThatNamesNoKindNoneIsKnown() { // SMD-01
    var values = RECORD.values();
    values.remove("kind");
    assertThat(SnapshotRecord.of(values).snapshot().kind()).isEmpty();
  }

  @Test
  void ofARecordThatNamesNoSectorItIsTheSmallOne() {
    var values = RECORD.values();
    values.remove("sector");
    assertThat(SnapshotRecord.of(values).sectorBytes()).isEqualTo(512);
  }
}
