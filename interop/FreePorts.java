import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;

/// Prints some ports of this machine that are free now.
final class FreePorts {
  public static void main(String[] arguments) throws Exception {
    var held = new ArrayList<ServerSocket>();
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++)
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    for (var socket : held) {
      System.out.println(socket.getLocalPort());
      socket.close();
    }
  }
}
