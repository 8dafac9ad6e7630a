package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Context;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Lists page by page (PAG-01 to PAG-03), and streams (SMD-02).
class PagingTest {
  private final ToyDriver driver = new ToyDriver();
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  @Test
  void pagesSkipAndRepeatNothingThoughVolumesComeAndGo() {
    var ids = new ArrayList<String>();
    for (var i = 0; i < 5; i++) ids.add(served.create(wanted("v" + i)));
    var first = list(2, "");
    assertThat(ids(first)).isEqualTo(ids.subList(0, 2));
    delete(ids.get(0));
    delete(ids.get(1)); // the one that the token names
    ids.add(served.create(wanted("late")));
    var second = list(2, first.getNextToken());
    assertThat(ids(second)).isEqualTo(ids.subList(2, 4));
    var last = list(0, second.getNextToken());
    assertThat(ids(last)).isEqualTo(ids.subList(4, 6));
    assertThat(last.getNextToken()).isEmpty();
  }

  @Test
  void eachEntrySaysWhereItsVolumeIsPublishedAlsoIfNowhere() { // CTL-19
    var ids = List.of(served.create(wanted("v")), served.create(wanted("w")));
    served
        .controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(ids.getFirst())
                .setNodeId("other")
                .setVolumeCapability(Served.mount(Mode.SINGLE_NODE_WRITER))
                .build());
    assertThat(list(0, "").getEntriesList())
        .allMatch(ListVolumesResponse.Entry::hasStatus)
        .extracting(entry -> List.copyOf(entry.getStatus().getPublishedNodeIdsList()))
        .containsExactly(List.of("other"), List.of());
  }

  @Test
  void aListForWhichNobodyWaitsAnyMoreStopsAndIsNoShortList() { // CON-05
    var shown = new ArrayList<String>();
    var call = Context.current().withCancellation();
    Callable<?> listing =
        () ->
            Page.of(
                new Page.Query(new PageToken("ListVolumes"), 0, ""),
                _ -> Stream.of("a", "b", "c"),
                id -> id,
                id -> {
                  shown.add(id);
                  if (id.equals("b")) call.cancel(null);
                  return ListVolumesResponse.getDefaultInstance();
                });
    assertThatThrownBy(() -> call.call(listing)).isInstanceOf(Refusal.class);
    assertThat(shown).containsExactly("a", "b");
  }

  @Test
  void aTokenSurvivesARestart() throws IOException {
    for (var i = 0; i < 3; i++) served.create(wanted("v" + i));
    var token = list(1, "").getNextToken();
    served.close();
    served = Served.of(driver);
    assertThat(ids(list(0, token))).hasSize(2);
  }

  @Test
  void aTokenBelongsToItsListAndFilter() { // CTL-06
    var id = served.create(wanted("v"));
    served.create(wanted("w"));
    var token = list(1, "").getNextToken();
    assertRefused(
        Code.ABORTED,
        "starting_token",
        () ->
            served
                .controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder().setStartingToken(token).build()));
    for (var name : List.of("s", "t"))
      served
          .controller()
          .createSnapshot(
              CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(id).build());
    var filtered = ListSnapshotsRequest.newBuilder().setSourceVolumeId(id).setMaxEntries(1);
    var page = served.controller().listSnapshots(filtered.build());
    assertThat(page.getNextToken()).isNotEmpty();
    assertRefused(
        Code.ABORTED,
        "starting_token",
        () ->
            served
                .controller()
                .listSnapshots(
                    ListSnapshotsRequest.newBuilder()
                        .setStartingToken(page.getNextToken())
                        .build()));
  }

  @Test
  void aPageFitsIntoAMessage() { // PAG-03
    for (var i = 0; i < 1200; i++)
      served.create(wanted("v" + i).putParameters("note", "x".repeat(4000)));
    var all = new ArrayList<String>();
    var pages = 0;
    var token = "";
    do {
      pages++;
      var page = list(0, token);
      assertThat(page.getSerializedSize()).isLessThan(4 << 20);
      all.addAll(ids(page));
      token = page.getNextToken();
    } while (!token.isEmpty());
    assertThat(pages).isEqualTo(2);
    assertThat(all).hasSize(1200).doesNotHaveDuplicates();
  }

  private ListVolumesResponse list(int maxEntries, String token) {
    return served
        .controller()
        .listVolumes(
            ListVolumesRequest.newBuilder()
                .setMaxEntries(maxEntries)
                .setStartingToken(token)
                .build());
  }

  private static List<String> ids(ListVolumesResponse page) {
    return page.getEntriesList().stream().map(it -> it.getVolume().getVolumeId()).toList();
  }

  private void delete(String id) {
    served.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }
}
