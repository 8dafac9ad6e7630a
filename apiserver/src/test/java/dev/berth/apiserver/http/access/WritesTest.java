package dev.berth.apiserver.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.rights.Decision;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.rbac.Rbac;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WritesTest {
  private static final ObjectKey NODE = ObjectKey.cluster("a");
  private static final User USER = new User("system:node:a", "", List.of("system:nodes"), Map.of());
  private static final String LABEL = "node-restriction.kubernetes.io/x";

  /// Harmless as long as the annotation is another label's.
  private static final String COPY =
      "[{\"op\":\"copy\",\"from\":\"/metadata/annotations/src\","
          + "\"path\":\"/metadata/labels/node-restriction.kubernetes.io~1x\"}]";

  private final Server server = new Server();

  /// A change whose outcome depends on the object is looked at again if the object has changed.
  @Test
  void whatWasCheckedIsWhatIsWritten() throws Exception { // API-12
    server.create(
        Resources.NODES,
        "metadata: {name: a, labels: {%s: good}, annotations: {src: good}}".formatted(LABEL));
    var racing = racing(annotate());
    var access =
        new Access(
            racing,
            (_, _, _) -> {
              throw new AssertionError("not asked");
            });
    var answer =
        new Writes(racing, access, new Rbac(), new Admittance(racing))
            .handle(
                USER,
                new Request.Change(
                    Resources.NODES, NODE, Request.Part.MAIN, Patch.json(json(COPY))));
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    assertThat(node().at("/metadata/labels").get(LABEL).asText()).isEqualTo("good");
  }

  private ObjectNode node() {
    return server.state().get(Resources.NODES, NODE).orElseThrow().object();
  }

  /// Who may not create is asked again if the object has gone meanwhile.
  @Test
  void whatGoesInBetweenIsNotMadeAnew() throws Exception { // API-11
    server.create(Resources.NODES, "metadata: {name: a}");
    var racing = racing(new Request.Delete(Resources.NODES, NODE, DeleteOptions.DEFAULT));
    var access = new Access(racing, (_, _, _) -> Decision.refused(""));
    var apply = json("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}}");
    var patch = new Patch(Patch.Type.APPLY, apply);
    var jane = User.authenticated("jane", "", List.of(), Map.of());
    var answer =
        new Writes(racing, access, new Rbac(), new Admittance(racing))
            .handle(
                jane,
                new Request.Change(
                    Resources.NODES, NODE, Request.Part.MAIN, patch, "me", Force.NO));
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    assertThat(((Answer.Refused) answer).refusal().code()).isEqualTo(403);
    assertThat(server.state().get(Resources.NODES, NODE)).isEmpty();
  }

  /// The server, where another connection does something once something was tried.
  private ApiServer racing(Request other) {
    return (ApiServer)
        Proxy.newProxyInstance(
            ApiServer.class.getClassLoader(),
            new Class<?>[] {ApiServer.class},
            (_, method, arguments) -> {
              var answer = method.invoke(server.api(), arguments);
              if (arguments != null && arguments[0] instanceof Request.DryRun)
                server.api().handle(other);
              return answer;
            });
  }

  private static Request annotate() throws Exception {
    return new Request.Change(
        Resources.NODES,
        NODE,
        Request.Part.MAIN,
        Patch.merge(json("{\"metadata\":{\"annotations\":{\"src\":\"evil\"}}}")));
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }
}
