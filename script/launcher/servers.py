"""Redis, the worker with its beat, and the web server."""

import http.client
import shutil
import socket
import subprocess

from launcher.folders import make_folder
from launcher.processes import as_owner, start, wait_until
from launcher.run import PYTHON, ROOT, Failure


def start_redis(run):
    program = shutil.which("redis-server")
    if program is None:
        raise Failure("redis-server is missing: run script/setup.")
    folder = make_folder(run.state / "redis", run.owner)
    path = run.sockets / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", path, "--unixsocketperm", "700"]
    command += ["--dir", folder, "--save", "", "--appendonly", "no" if run.test else "yes"]
    server = start(run, "redis", command, cwd="/", **as_owner(run))
    wait_until(run, server, lambda: redis_answers(path))
    return f"unix://{path}?db=0"


def redis_answers(path):
    """Say whether Redis takes commands (it does not while it reads its data)."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(path))
            link.sendall(b"PING\r\n")
            return link.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def manage(run, *arguments):
    done = subprocess.run([PYTHON, ROOT / "manage.py", *arguments], env=run.env, check=False)
    if done.returncode:
        raise Failure(f"manage.py {arguments[0]} failed.")


def start_worker(run):
    command = [PYTHON, "-m", "celery", "-A", "config.celery_app", "worker", "-B"]
    command += ["-s", run.state / "beat-schedule", "-l", "info"]
    start(run, "worker", command, cwd=ROOT, env=run.env)


def start_web(run, port):
    """Start the web server on a port that the launcher has taken: no other can answer there."""
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError:
        raise Failure(f"Port {port} is taken: choose another with --port.") from None
    with listener:
        number = listener.fileno()
        command = [PYTHON, "-m", "gunicorn", "config.wsgi", "--bind", f"fd://{number}"]
        command += ["--workers", "2", "--threads", "4", "--no-control-socket"]
        web = start(run, "web", command, cwd=ROOT, env=run.env, pass_fds=[number])
    wait_until(run, web, lambda: web_answers(port))


def web_answers(port):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        link.request("GET", "/")
        return bool(link.getresponse().status)
    except OSError:
        return False
    finally:
        link.close()
