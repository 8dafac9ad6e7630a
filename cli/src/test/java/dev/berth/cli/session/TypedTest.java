package dev.berth.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.home.Home;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Commands that are suggested act on the cluster that was asked, and on no other (XPL-05).
class TypedTest {
  private static final Home HOME = new Home(Path.of("/tmp/x"));
  private static final String ALSO = " --kubeconfig /k --context prod";

  @Test
  void kubectlNamesTheContext() { // XPL-05
    assertThat(Session.typed("kubectl delete pod db-0 -n db", ALSO))
        .isEqualTo("kubectl --kubeconfig /k --context prod delete pod db-0 -n db");
  }

  @Test
  void eachOneOfAPipeDoes() { // XPL-05
    assertThat(Session.typed("kubectl get pv x -o yaml | kubectl replace -f -", " --context prod"))
        .isEqualTo("kubectl --context prod get pv x -o yaml | kubectl --context prod replace -f -");
  }

  @Test
  void aHomeIsNamedByItsKubeconfig() { // XPL-05
    assertThat(Session.typed(HOME, "kubectl delete pod a; berth explain pod/b -n c"))
        .isEqualTo(
            "kubectl --kubeconfig /tmp/x/kubeconfig delete pod a; berth explain pod/b -n c --home"
                + " /tmp/x");
  }

  @Test
  void alsoTheUsualHomeSinceKubectlKnowsOfNone() { // XPL-05
    assertThat(Session.typed(new Home(Home.DEFAULT), "kubectl delete pod a; berth explain pod/b"))
        .isEqualTo(
            "kubectl --kubeconfig /var/lib/berth/kubeconfig delete pod a; berth explain pod/b");
  }

  @Test
  void aListOfDrivesIsAFileAnywhere() { // XPL-05
    assertThat(Session.typed("then: berth drives init /tmp/my/list", ALSO))
        .isEqualTo("then: berth drives init /tmp/my/list" + ALSO);
    assertThat(Session.typed("see berth explain drive/7b3", ALSO))
        .isEqualTo("see berth explain drive/7b3" + ALSO);
  }

  @Test
  void whatNamesNoClusterStays() { // XPL-05
    assertThat(Session.typed("kubectl delete pod a, as kubectl's user", ""))
        .isEqualTo("kubectl delete pod a, as kubectl's user");
    assertThat(Session.typed("that is kubectl.", ALSO)).isEqualTo("that is kubectl.");
  }

  @Test
  void soDoCommandsInJsonAndNothingElse() throws Exception { // XPL-01
    JsonNode json =
        new ObjectMapper()
            .readTree(
                """
                {"chain": [{"remedy": ["kubectl get pod a"], "seen": {"remedy": "kubectl get b"}}],
                 "rights": "kubectl create role c", "note": "kubectl says"}\
                """);
    assertThat(Session.typed(new Home(Path.of("/h")), json))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"chain": [{"remedy": ["kubectl --kubeconfig /h/kubeconfig get pod a"],
                                "seen": {"remedy": "kubectl get b"}}],
                     "rights": "kubectl --kubeconfig /h/kubeconfig create role c",
                     "note": "kubectl says"}\
                    """));
  }
}
