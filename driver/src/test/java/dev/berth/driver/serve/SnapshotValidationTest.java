package dev.berth.driver.serve;

import static dev.berth.driver.serve.Wrong.LONG;
import static dev.berth.driver.serve.Wrong.invalid;
import static dev.berth.driver.serve.Wrong.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which requests about snapshots and groups are refused, and as what (SNP, GRP, SMD).
class SnapshotValidationTest {
  private static Served served;

  static final List<Wrong> wrong =
      List.of(
          invalid(
              "SNP-01",
              "cut: no source",
              "source_volume_id",
              it ->
                  it.controller()
                      .createSnapshot(CreateSnapshotRequest.newBuilder().setName("s").build())),
          unknown(
              "SNP-02",
              "cut: an unknown source",
              it ->
                  it.controller()
                      .createSnapshot(
                          CreateSnapshotRequest.newBuilder()
                              .setName("s")
                              .setSourceVolumeId("v")
                              .build())),
          invalid(
              "SNP-05",
              "delete: no id",
              "snapshot_id",
              it -> it.controller().deleteSnapshot(DeleteSnapshotRequest.getDefaultInstance())),
          invalid(
              "SNP-07",
              "get: no id",
              "snapshot_id",
              it -> it.controller().getSnapshot(GetSnapshotRequest.getDefaultInstance())),
          unknown(
              "SNP-07",
              "get: an unknown one",
              it ->
                  it.controller()
                      .getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId("s").build())),
          invalid(
              "GRP-02",
              "group: a volume twice",
              "twice",
              it ->
                  it.groups()
                      .createVolumeGroupSnapshot(
                          CreateVolumeGroupSnapshotRequest.newBuilder()
                              .setName("g")
                              .addSourceVolumeIds("v")
                              .addSourceVolumeIds("v")
                              .build())),
          unknown(
              "GRP-07",
              "get a group: existence comes before snapshot_ids",
              it ->
                  it.groups()
                      .getVolumeGroupSnapshot(
                          GetVolumeGroupSnapshotRequest.newBuilder()
                              .setGroupSnapshotId("g")
                              .build())),
          invalid(
              "SMD-01",
              "metadata: no id",
              "snapshot_id",
              it ->
                  it.metadata()
                      .getMetadataAllocated(
                          GetMetadataAllocatedRequest.getDefaultInstance(), _ -> {})));

  @BeforeAll
  static void serve() throws IOException {
    served = Wrong.served(new ToyDriver());
  }

  @AfterAll
  static void end() throws IOException {
    served.close();
  }

  @ParameterizedTest
  @FieldSource
  void wrong(Wrong row) {
    row.assertRefused(served);
  }

  @Test
  void anUnknownFilterFindsNothing() { // SNP-06
    for (var id : List.of("unknown", LONG))
      assertThat(
              served
                  .controller()
                  .listSnapshots(ListSnapshotsRequest.newBuilder().setSnapshotId(id).build())
                  .getEntriesList())
          .isEmpty();
  }
}
