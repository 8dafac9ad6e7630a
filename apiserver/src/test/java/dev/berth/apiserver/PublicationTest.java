package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What of the past is kept of which kinds (API-63).
class PublicationTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static final Resource CAKES = new Resource("bakery.example", "v1", "cakes", "Cake", true);

  private final Publication publication = new Publication(State.empty(), Optional.empty());

  /// Custom kinds may come and go for ever, each under a name of its own, and would take as much
  /// memory each.
  @Test
  void aKindThatIsNoLongerServedHasNoHistory() throws Exception {
    write(CAKES);
    write(Resources.CONFIG_MAPS);
    assertThat(publication.log(CAKES).oldest()).isZero();
    publication.forgetOld(NOW);
    assertThat(publication.log(CAKES).oldest()).as("nothing before is known").isEqualTo(1);
    assertThat(publication.log(Resources.CONFIG_MAPS).oldest()).isZero();
    write(CAKES);
    assertThat(publication.log(CAKES).between(1, 3, publication.lookback(), "", _ -> {})).isTrue();
    assertThat(publication.log(CAKES).between(0, 3, publication.lookback(), "", _ -> {})).isFalse();
  }

  private void write(Resource resource) {
    long revision = publication.state().revision() + 1;
    var stored =
        Stored.of(
            ObjectKey.of("default", "a" + revision),
            revision,
            revision,
            JsonNodeFactory.instance.objectNode());
    var written = new Written.Put(resource, Optional.empty(), stored);
    publication.publish(publication.state().after(written), List.of(written), NOW);
  }
}
