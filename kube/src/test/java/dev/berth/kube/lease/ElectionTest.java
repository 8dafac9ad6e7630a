package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.event.Notice;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ONE-18 to ONE-20, ONE-30, PROV-170, PROV-171: candidates for one Lease, on virtual time.
class ElectionTest {
  private static final ObjectKey KEY = ObjectKey.of("storage", "disk-berth-dev");

  private final VirtualTime time = new VirtualTime(7);
  private final MemoryServer server = new MemoryServer();
  private final Candidate a = new Candidate("a");
  private final Candidate b = new Candidate("b");

  private final class Candidate {
    final List<String> told = new ArrayList<>();
    final List<Notice> notices = new ArrayList<>();
    final Line line = new Line(server);
    final Election election;

    Candidate(String name) {
      election =
          new Election(
              line.api,
              KEY,
              name,
              Map.of("held-by", name),
              Terms.SIDECAR,
              time,
              notices::add,
              this::changed);
    }

    private void changed() {
      told.add(election.leads() ? "leads" : "follows");
      assertThat(a.election.leads() && b.election.leads()).isFalse();
    }
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(a.election.leads() && b.election.leads()).isFalse();
    }
  }

  private ObjectNode lease() {
    return server.get(Resources.LEASES, KEY);
  }

  @Test
  void theFirstLeadsAndTheLeaseSaysSoAsClientGoWritesIt() {
    a.election.start();
    time.settle();
    assertThat(a.told).containsExactly("leads");
    assertThat(lease().path("spec").toString())
        .isEqualTo(
            """
            {"holderIdentity":"a","leaseDurationSeconds":15,\
            "acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:00.000000Z",\
            "leaseTransitions":0}\
            """);
    pass(60);
    assertThat(lease().at("/spec/renewTime").asText()).isEqualTo("2026-01-01T00:01:00.000000Z");
    assertThat(lease().at("/spec/acquireTime").asText()).isEqualTo("2026-01-01T00:00:00.000000Z");
  }

  @Test
  void whoeverLeadsLabelsTheLeaseBesideTheLabelsThatItHas() {
    a.election.start();
    time.settle();
    var marked = lease();
    marked.withObject("/metadata/labels").put("team", "storage");
    server.update(Resources.LEASES, marked);
    a.election.release();
    b.election.start();
    pass(2);
    assertThat(lease().at("/metadata/labels").toString())
        .isEqualTo("{\"held-by\":\"b\",\"team\":\"storage\"}");
  }

  /// A renewal that hangs leaves time for another one before the leader has to stop; at least a
  /// second.
  @Test
  void anAnswerIsNotAwaitedForLong() {
    assertThat(a.line.caller.flatMap(Caller::limit)).contains(Duration.ofMillis(2_500));
    var second = Duration.ofSeconds(1);
    assertThat(new Terms(second.multipliedBy(2), second, second.dividedBy(2)).answer())
        .isEqualTo(second);
  }

  @Test
  void aDefectDoesNotEndACandidacy() {
    a.line.beforeWrite =
        () -> {
          throw new IllegalStateException("a defect");
        };
    a.election.start();
    pass(10);
    assertThat(a.told).containsExactly("leads");
  }

  @Test
  void anErrorDoesNotEndACandidacy() {
    a.line.beforeWrite =
        () -> {
          throw new InternalError("a test's");
        };
    a.election.start();
    pass(10);
    assertThat(a.told).containsExactly("leads");
  }

  @Test
  void aLeaseThatIsWonWhileItIsReleasedIsGivenUp() {
    a.line.beforeWrite = a.election::release;
    a.election.start();
    time.settle();
    assertThat(a.told).isEmpty();
    assertThat(lease().at("/spec/holderIdentity").asText("?")).isEmpty();
  }

  @Test
  void whoeverComesLaterWaitsAsLongAsTheLeaderRenews() {
    a.election.start();
    time.settle();
    b.election.start();
    pass(120);
    assertThat(b.told).isEmpty();
    assertThat(b.election.holder()).isEqualTo("a");
  }

  @Test
  void aLeaseThatIsGivenUpIsTakenAtOnce() {
    a.election.start();
    time.settle();
    b.election.start();
    pass(7);
    a.election.release();
    time.settle();
    assertThat(b.told).containsExactly("leads");
    assertThat(lease().at("/spec/leaseTransitions").asInt()).isEqualTo(1);
  }

  @Test
  void aLeaderWhoIsCutOffIsDeposedBeforeAnotherLeads() {
    a.election.start();
    time.settle();
    b.election.start();
    pass(7);
    a.line.cut = true;
    pass(60);
    assertThat(a.told).containsExactly("leads", "follows");
    assertThat(a.notices)
        .extracting(Notice::reason, Notice::message)
        .containsExactly(
            tuple("LeaderElection", "a became leader"),
            tuple("LeaderElection", "a stopped leading"));
    assertThat(b.told).containsExactly("leads");
    a.line.cut = false;
    pass(60);
    assertThat(a.told).containsExactly("leads", "follows"); // it stands again, and waits
    assertThat(a.election.holder()).isEqualTo("b");
  }

  @Test
  void aLeaderWhoIsCutOffWhileItsClockIsSetBackFollows() {
    a.election.start();
    pass(6);
    a.line.cut = true;
    time.setBack(Duration.ofHours(1));
    pass(12);
    assertThat(a.told).containsExactly("leads", "follows");
    assertThat(a.election.leads()).isFalse();
  }

  /// What it waits for is that time passes, whatever its clock says.
  @Test
  void aCandidateWhoseClockIsSetBackTakesOver() {
    a.election.start();
    time.settle();
    b.election.start();
    pass(6);
    time.setBack(Duration.ofHours(1));
    a.line.cut = true;
    pass(60);
    assertThat(b.told).containsExactly("leads");
  }

  /// Before the first of its tasks runs, that which would depose it included.
  @Test
  void aLeaderWhoWasSuspendedDoesNotLeadWhenItWakes() {
    a.election.start();
    time.settle();
    time.suspend(Terms.SIDECAR.renew().minusNanos(1));
    assertThat(a.election.leads()).isTrue();
    time.suspend(Duration.ofNanos(1));
    assertThat(a.election.leads()).isFalse();
    b.election.start(); // it has not seen the Lease before: it waits
    pass(60);
    assertThat(a.election.leads() || b.election.leads()).isTrue();
  }

  @Test
  void aLeaderWhoWasCutOffForAShortWhileGoesOn() {
    a.election.start();
    pass(6);
    a.line.cut = true;
    pass(6);
    a.line.cut = false;
    pass(60);
    assertThat(a.told).containsExactly("leads");
  }

  @Test
  void aLeaderWhoseLeaseSomebodyTookFollowsAtOnce() {
    a.election.start();
    pass(1);
    var stolen = lease().deepCopy();
    stolen.withObject("spec").put("holderIdentity", "thief");
    server.update(Resources.LEASES, stolen);
    time.settle();
    assertThat(a.told).containsExactly("leads", "follows");
  }

  @Test
  void aLabelOnTheLeaseDeposesNobody() {
    a.election.start();
    pass(1);
    server.lag(); // nobody is told of it: the renewal runs into it
    var labelled = lease().deepCopy();
    labelled.withObject("metadata").withObject("labels").put("of", "somebody");
    server.update(Resources.LEASES, labelled);
    pass(60);
    assertThat(a.told).containsExactly("leads");
    assertThat(lease().at("/metadata/labels/of").asText()).isEqualTo("somebody");
  }

  @Test
  void aLeaseThatIsDeletedIsMadeAnew() {
    a.election.start();
    pass(1);
    server.delete(Resources.LEASES, KEY, DeleteOptions.DEFAULT);
    pass(10);
    assertThat(a.told).containsExactly("leads");
    assertThat(lease().at("/spec/holderIdentity").asText()).isEqualTo("a");
  }

  /// A restarted process of the same name need not wait for itself, even if killed.
  @Test
  void theSameNameTakesItsLeaseAgain() {
    a.election.start();
    time.settle();
    a.line.cut = true;
    var again = new Candidate("a");
    again.election.start();
    time.settle();
    assertThat(again.told).containsExactly("leads");
  }

  /// Clocks of machines differ: a renewal of long ago, by the holder's clock, counts as new.
  @ParameterizedTest
  @ValueSource(strings = {"2020-01-01T00:00:00.000000Z", "2036-01-01T00:00:00.000000Z"})
  void nobodysClockIsComparedWithOurs(String renewed) {
    a.election.start();
    time.settle();
    a.election.release();
    var foreign = lease().deepCopy();
    new Hold("upstream", Duration.ofSeconds(15), renewed, renewed, 3).into(foreign);
    server.update(Resources.LEASES, foreign);
    b.election.start();
    pass(14);
    assertThat(b.told).isEmpty();
    pass(8);
    assertThat(b.told).containsExactly("leads");
  }

  /// Its holder, on another machine, knows nothing of it.
  @Test
  void whoeverWaitsAndHasItsClockSetForwardWaitsOn() {
    var renewed = "2026-01-01T00:00:00.000000Z";
    server.create(
        Resources.LEASES,
        new Hold("upstream", Duration.ofSeconds(15), renewed, renewed, 3).newLease(KEY));
    a.election.start();
    pass(4);
    time.setForward(Duration.ofHours(1));
    pass(8);
    assertThat(a.told).isEmpty();
    pass(10);
    assertThat(a.told).containsExactly("leads");
  }

  /// Until it renews it, nobody knows whether somebody else has taken it.
  @Test
  void aLeaderWhoseClockIsSetForwardIsToldWhenItLeadsAgain() {
    a.election.start();
    time.settle();
    time.setForward(Duration.ofHours(1));
    assertThat(a.election.leads()).isFalse();
    pass(6);
    assertThat(a.election.leads()).isTrue();
    assertThat(a.told).containsExactly("leads", "leads");
    assertThat(a.notices).extracting(Notice::message).containsExactly("a became leader");
  }

  @Test
  void aLeaderThatCannotSayMoreIsStuck() {
    a.election.start();
    time.settle();
    assertThat(a.election.isStuck(time.now().plusSeconds(34), Duration.ofSeconds(20))).isFalse();
    assertThat(a.election.isStuck(time.now().plusSeconds(36), Duration.ofSeconds(20))).isTrue();
    a.election.release();
    assertThat(a.election.isStuck(Instant.MAX, Duration.ZERO)).isFalse();
  }

  @Test
  void timesThatLetTwoLeadAreRefused() {
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Terms(second, second, second.dividedBy(2)))
        .hasMessage("the lease duration (PT1S) has to be longer than the renew deadline (PT1S)");
    assertThatThrownBy(() -> new Terms(second.multipliedBy(2), second, second))
        .hasMessage("the renew deadline (PT1S) has to be longer than the retry period (PT1S)");
    assertThatThrownBy(() -> new Terms(Duration.ofMillis(10_900), second.multipliedBy(2), second))
        .hasMessage("the lease duration (PT10.9S) has to be in whole seconds");
    assertThatThrownBy(
            () -> new Terms(Duration.ofMillis(900), second.dividedBy(2), second.dividedBy(4)))
        .hasMessage("the lease duration (PT0.9S) has to be in whole seconds");
  }
}
